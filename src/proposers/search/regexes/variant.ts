import type { AST } from "@eslint-community/regexpp";
import type { PatternVariant } from "../../../ports/editor.ts";
import type { Pattern } from "./pattern.ts";
import { PATTERN_PRIORS, type PatternKind } from "./pattern-priors.ts";

/** A change before its kind is known. */
export type Draft = Omit<PatternVariant, "kinds"> & { readonly style?: PatternKind };

type Range = Pick<AST.Node, "start" | "end">;

/** Puts a text in the place of a part. */
export function put(
  { text, flags }: Pattern,
  { start, end }: Range,
  part: string,
  weight: number,
): Draft {
  return { text: text.slice(0, start) + part + text.slice(end), flags, weight };
}

/** Puts a text at a position. */
export function insert(pattern: Pattern, at: number, part: string, weight: number): Draft {
  return put(pattern, { start: at, end: at }, part, weight);
}

/** Puts texts in the places of several parts that do not overlap. */
export function putAll(
  { text, flags }: Pattern,
  parts: readonly (Range & { readonly by: string })[],
  weight: number,
): Draft {
  let after = "";
  let from = 0;
  for (const { start, end, by } of parts.toSorted((a, b) => a.start - b.start)) {
    after += text.slice(from, start) + by;
    from = end;
  }
  return { text: after + text.slice(from), flags, weight };
}

/** Drafts as changes of a kind, weighed by how often such a change is right. */
export function* ofKind(kind: PatternKind, drafts: Iterable<Draft>): Generator<PatternVariant> {
  for (const { text, flags, weight, style } of drafts) {
    const kinds = style === undefined ? [kind] : [kind, style];
    const prior = kinds.reduce((product, one) => product * PATTERN_PRIORS[one], weight);
    yield { text, flags, weight: prior, kinds };
  }
}
