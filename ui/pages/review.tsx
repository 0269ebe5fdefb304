import type { JSX } from "preact";
export function ReviewPage({ candidate }: { readonly candidate: string | null }): JSX.Element {
  return <h1>{candidate}</h1>;
}
