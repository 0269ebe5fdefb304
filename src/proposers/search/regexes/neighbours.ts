import { classVariants } from "./classes.ts";
import { disambiguations } from "./disambiguations.ts";
import { edgeVariants, flagVariants } from "./edges.ts";
import { groupVariants } from "./groups.ts";
import { patternOf, type Pattern } from "./pattern.ts";
import { ofKind } from "./variant.ts";
import { quantifierVariants } from "./quantifiers.ts";
import type { PatternVariant } from "../../../ports/editor.ts";

/**
 * Single changes of a pattern, none twice, each of which is a pattern: the mutation operators of
 * MutRex (Arcaini, Gargantini, Riccobene, "MutRex: a mutation-based generator of fault detecting
 * strings for regular expressions", ICSTW 2017) and their inverses, anchors and flags.
 */
export function neighboursOf(pattern: Pattern): readonly PatternVariant[] {
  return sound(pattern, [
    ...ofKind("flag", flagVariants(pattern)),
    ...ofKind("anchor", edgeVariants(pattern)),
    ...ofKind("class", classVariants(pattern)),
    ...ofKind("quantifier", quantifierVariants(pattern)),
    ...ofKind("group", groupVariants(pattern)),
    ...ofKind("group", disambiguations(pattern)),
  ]);
}

/** Those that are patterns and other than a given one, each once, with its greatest weight. */
export function sound(
  pattern: Pattern,
  variants: readonly PatternVariant[],
): readonly PatternVariant[] {
  const best = new Map<string, PatternVariant>();
  const own = keyOf(pattern);
  for (const variant of variants) {
    const key = keyOf(variant);
    const known = best.get(key);
    if (key === own || (known !== undefined && known.weight >= variant.weight)) continue;
    best.set(key, variant);
  }
  return [...best.values()].filter(({ text, flags }) => patternOf(text, flags) !== null);
}

/** What tells patterns apart. */
function keyOf({ text, flags }: Pick<PatternVariant, "text" | "flags">): string {
  return `/${text}/${flags}`;
}
