import type { JSX } from "preact";
export function IncidentPage({ id }: { readonly id: string }): JSX.Element {
  return <h1>{id}</h1>;
}
