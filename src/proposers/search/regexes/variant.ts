import type { AST } from "@eslint-community/regexpp";
import type { PatternVariant } from "../../../ports/editor.ts";
import type { Pattern } from "./pattern.ts";

type Range = Pick<AST.Node, "start" | "end">;

/** Puts a text in the place of a part. */
export function put(
  { text, flags }: Pattern,
  { start, end }: Range,
  part: string,
  weight: number,
): PatternVariant {
  return { text: text.slice(0, start) + part + text.slice(end), flags, weight };
}

/** Puts a text at a position. */
export function insert(pattern: Pattern, at: number, part: string, weight: number): PatternVariant {
  return put(pattern, { start: at, end: at }, part, weight);
}

/** Puts texts in the places of several parts that do not overlap. */
export function putAll(
  { text, flags }: Pattern,
  parts: readonly (Range & { readonly by: string })[],
  weight: number,
): PatternVariant {
  let after = "";
  let from = 0;
  for (const { start, end, by } of parts.toSorted((a, b) => a.start - b.start)) {
    after += text.slice(from, start) + by;
    from = end;
  }
  return { text: after + text.slice(from), flags, weight };
}
