import type { Kind } from "../kinds.ts";

/** A piece of code that often is a mistake, and what was often meant. */
export type Idiom = {
  /** What stands there; `$x` is any expression. */
  readonly from: string;
  /** What may be meant, the likeliest first. */
  readonly to: readonly string[];
  /** What a hole holds, where that can be told. */
  readonly kinds?: Readonly<Record<string, Kind>>;
  /** How likely among idioms; 1 is usual. */
  readonly weight?: number;
};
