import type { PatternVariant } from "../../../ports/editor.ts";
import { widened } from "./classes.ts";
import { charsOf, membersFor } from "./generalise.ts";
import type { Pattern } from "./pattern.ts";
import type { PatternKind } from "./pattern-priors.ts";
import { acceptsOf, isLeaf, termsOf, type Leaf } from "./terms.ts";
import { ofKind, putAll, type Draft } from "./variant.ts";

/** A leaf that takes in more, as text; without a style it is as it was. */
export type Widened = {
  readonly text: string;
  readonly weight: number;
  readonly style?: PatternKind;
};

/** A leaf that takes in what it refused, from the special to the general. */
export function wideningsOf(
  leaf: Leaf,
  refused: readonly string[],
  flags: string,
): readonly Widened[] {
  if (refused.length === 0) return [{ text: leaf.raw, weight: 1 }];
  const found = membersFor(refused, leaf, flags).map((one): Widened => ({
    ...one,
    text: widened(leaf, one.text),
  }));
  const twin = leaf.type === "CharacterClass" ? otherCase(leaf.raw, refused) : null;
  if (twin === null) return found;
  return [{ text: widened(leaf, twin), weight: 1, style: "twin/range" }, ...found];
}

/** The ranges of a class in the other case, where it is that which was refused. */
function otherCase(raw: string, refused: readonly string[]): string | null {
  const ranges = raw.match(/[a-z]-[a-z]|[A-Z]-[A-Z]/g) ?? [];
  const isUpper = refused.every((char) => /[A-Z]/.test(char));
  if (!isUpper && !refused.every((char) => /[a-z]/.test(char))) return null;
  const wanted = ranges
    .filter((range) => /[a-z]/.test(range) === isUpper)
    .map((range) => (isUpper ? range.toUpperCase() : range.toLowerCase()));
  return wanted.length === 0 ? null : wanted.join("");
}

/** The same class everywhere: patterns repeat themselves, and so do their faults. */
export function* alikeWidened(
  pattern: Pattern,
  leaf: Leaf,
  { text, weight, style }: Required<Widened>,
): Generator<Draft> {
  const same = termsOf(pattern).filter(({ core }) => core.raw === leaf.raw);
  if (same.length < 2 || text === leaf.raw) return;
  const parts = same.map(({ core: { start, end } }) => ({ start, end, by: text }));
  yield { ...putAll(pattern, parts, weight), style };
}

/**
 * A class that stands in several places takes in, in all of them, what it and no other part of the
 * pattern refuses in some texts: no single hole shows it.
 */
export function* widenedEverywhere(
  pattern: Pattern,
  missed: readonly string[],
): Generator<PatternVariant> {
  const leaves = termsOf(pattern).flatMap(({ core }) => (isLeaf(core) ? [core] : []));
  for (const same of Map.groupBy(leaves, ({ raw }) => raw).values()) {
    const [leaf] = same;
    if (same.length < 2 || leaf === undefined || leaf.type === "Character") continue;
    const others = leaves.map((other) => acceptsOf(other, pattern.flags));
    const refused = missed.flatMap((text) =>
      charsOf(text).filter((char) => others.every((accepts) => !accepts(char))),
    );
    for (const { text, weight, style } of wideningsOf(leaf, refused, pattern.flags)) {
      if (style !== undefined) {
        yield* ofKind("alike", alikeWidened(pattern, leaf, { text, weight, style }));
      }
    }
  }
}
