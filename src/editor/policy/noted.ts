import type { Finding } from "../../ports/editor.ts";
import { beyond } from "../types.ts";

/**
 * What a rule notes. `ask`: a person decides; `pass`: it is honest where it stands, and noted so that
 * a version after it may have more of the same; without either it refuses.
 */
export type Noted = Finding & { readonly severity?: "ask" | "pass" };

/**
 * What a patch brings, of what counts: what stood there before is not held against it. Like is held
 * against like first, so that what is honest makes no room for what is not.
 */
export function brought<T extends Noted>(
  before: readonly T[],
  after: readonly T[],
): (T & { readonly severity?: "ask" })[] {
  const [was, is] = [withSeverity(before), withSeverity(after)];
  const [gone, come] = [beyond(is, was), beyond(was, is)];
  return beyond(gone.map(unmarked), come.map(unmarked)).filter(counts);
}

const MARK = "\u0000";

function withSeverity<T extends Noted>(all: readonly T[]): readonly T[] {
  return all.map((one) => ({ ...one, message: `${one.message}${MARK}${one.severity ?? ""}` }));
}

function unmarked<T extends Noted>(one: T): T {
  return { ...one, message: one.message.slice(0, one.message.indexOf(MARK)) };
}

function counts<T extends Noted>(noted: T): noted is T & { readonly severity?: "ask" } {
  return noted.severity !== "pass";
}

/** The same finding, left to a person. */
export function asking({ line, message }: Finding): Finding & { readonly severity: "ask" } {
  return { line, message, severity: "ask" };
}
