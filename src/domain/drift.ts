import type { Json } from "./json.ts";

/** What recorded exchanges say about a vendor's changes. Plain data, from evidence only. */
export type DriftEvidence = {
  /** Endpoints that answered that they are gone, with where they went; the surest first. */
  readonly moved: readonly Moved[];
  /** Values that the skill was given: bodies of successful answers, and inputs. */
  readonly payloads: readonly Json[];
  /** Header names and values of successful answers, names in lower case. */
  readonly headers: readonly Readonly<Record<string, string>>[];
  /** An answer was 429 Too Many Requests. */
  readonly isLimited: boolean;
  /** The skill may sleep through its capability `clock`. */
  readonly canSleep: boolean;
};

export type Moved = {
  /** Absolute URL that was asked for, without query and fragment. */
  readonly from: string;
  /** Absolute URL, path, or version segment such as `v2`. */
  readonly to: string;
  /** Where that is written: `Location`, `Link`, `the answer's body`, … */
  readonly source: string;
};
