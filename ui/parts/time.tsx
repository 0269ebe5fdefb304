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
/** A duration, such as 840 ms, 3.2 s or 4 min. */
export function duration(ms: number): string {
  if (ms < 1) return "< 1 ms";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}
