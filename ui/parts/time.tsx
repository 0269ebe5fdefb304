import type { JSX } from "preact";
import { exact, now, relative } from "../state/clock.ts";

/** How long ago something was, with the exact time as its title. */
export function Time({ at }: { readonly at: number }): JSX.Element {
  return (
    <time dateTime={new Date(at).toISOString()} title={exact(at)}>
      {relative(at, now.value)}
    </time>
  );
}
