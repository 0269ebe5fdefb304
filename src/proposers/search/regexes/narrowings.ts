import { narrowed } from "./classes.ts";
import { charsOf, kindOf, membersFor, asItself } from "./generalise.ts";
import type { Hole } from "./holes.ts";
import type { Pattern } from "./pattern.ts";
import { countText } from "./quantifiers.ts";
import { isLeaf } from "./terms.ts";
import type { PatternVariant } from "../../../ports/editor.ts";
import { insert, ofKind, put, type Draft } from "./variant.ts";

/** What a factor matched, in texts that should not match and do, and in those that should and do. */
export type Measured = { readonly wrong: readonly string[]; readonly right: readonly string[] };

/** Narrower classes and bounds for a factor, which tell apart what it matched wrongly and rightly. */
export function* narrowings(
  pattern: Pattern,
  hole: Hole,
  { wrong, right }: Measured,
): Generator<PatternVariant> {
  const [term] = hole.terms;
  if (hole.kind !== "measure" || term === undefined || wrong.length === 0) return;
  const { core, node, quantifier } = term;
  if (!isLeaf(core)) return;
  const known = new Set(right.flatMap((text) => charsOf(text)));
  const odd = wrong.flatMap((text) => charsOf(text).filter((char) => !known.has(char)));
  const narrower = membersFor(odd, null, pattern.flags).map(({ text, weight, style }): Draft => {
    const inner = narrowed(core, text);
    const isGuarded = inner.startsWith("(?!") && quantifier !== null;
    return { ...put(pattern, core, isGuarded ? `(?:${inner})` : inner, weight), style };
  });
  yield* ofKind("narrow-class", narrower);
  const ends = oddEnds(wrong, right, 0);
  yield* ofKind(
    "narrow-first",
    ends.map((char) => insert(pattern, node.start, `(?!${char})`, 1)),
  );
  yield* ofKind("narrow-bounds", shorter(pattern, hole, { wrong, right }));
}

/** Bounds between the lengths of what was matched wrongly and rightly. */
function* shorter(
  pattern: Pattern,
  { terms: [term] }: Hole,
  { wrong, right }: Measured,
): Generator<Draft> {
  if (term === undefined || right.length === 0) return;
  const [low, high] = [term.quantifier?.min ?? 1, term.quantifier?.max ?? 1];
  const lengths = right.map((text) => charsOf(text).length);
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const over = wrong.map((text) => charsOf(text).length).filter((length) => length > most);
  const under = wrong.map((text) => charsOf(text).length).filter((length) => length < least);
  const bounds: [number, number, number][] = [];
  if (over.length > 0) bounds.push([low, most, 0.8], [low, Math.min(...over) - 1, 0.8]);
  if (under.length > 0) bounds.push([least, high, 0.8], [Math.max(...under) + 1, high, 0.8]);
  if (over.length + under.length > 0) bounds.push([least, most, 0.5]);
  for (const [from, to, weight] of bounds) {
    yield put(pattern, term.node, term.core.raw + countText(from, to), weight);
  }
}

/** Patterns of first or last characters that only what was matched wrongly has. */
function oddEnds(wrong: readonly string[], right: readonly string[], at: 0 | -1): string[] {
  const ends = new Set(right.map((text) => charsOf(text).at(at) ?? ""));
  const odd = new Set(wrong.map((text) => charsOf(text).at(at) ?? ""));
  if (odd.size !== 1) return [];
  const [char = ""] = odd;
  return char === "" || ends.has(char) ? [] : [asItself(char)];
}

/**
 * Conditions on the text as a whole, put in front: what only the texts that should not match have
 * in common, as first or last character, twice in a row, anywhere, or in their length.
 */
export function* guards(pattern: Pattern, texts: Measured): Generator<PatternVariant> {
  if (texts.wrong.length === 0) return;
  const [first] = pattern.tree.alternatives[0]?.elements ?? [];
  const isAnchored = first?.type === "Assertion" && first.kind === "start";
  const isChoice = pattern.tree.alternatives.length > 1;
  if (isChoice) return;
  const at = isAnchored ? first.end : 0;
  const add: Add = (guard, weight) => insert(pattern, at, guard, isAnchored ? weight : weight / 3);
  yield* ofKind("guard-end", [
    ...oddEnds(texts.wrong, texts.right, 0).map((char) => add(`(?!${char})`, 1)),
    ...oddEnds(texts.wrong, texts.right, -1).map((char) => add(`(?!.*${char}$)`, 1)),
  ]);
  const parts = [...onlyWrong(texts, pairsIn), ...onlyWrong(texts, charsOf)];
  yield* ofKind(
    "guard-part",
    parts.map((part) => {
      const isOfMarks = charsOf(part).every((char) => kindOf(char).name === "mark");
      return add(`(?!.*${charsOf(part).map(asItself).join("")})`, isOfMarks ? 1 : 0.25);
    }),
  );
  yield* ofKind("guard-length", lengthGuards(texts, add));
}

type Add = (guard: string, weight: number) => Draft;

function pairsIn(text: string): string[] {
  return charsOf(text)
    .slice(1)
    .map((char, at) => charsOf(text)[at] + char);
}

function onlyWrong({ wrong, right }: Measured, partsOf: (text: string) => string[]): string[] {
  const known = new Set(right.flatMap(partsOf));
  const [first = "", ...rest] = wrong;
  const others = rest.map((text) => new Set(partsOf(text)));
  const shared = [...new Set(partsOf(first))].filter((part) => !known.has(part));
  return shared.filter((part) => others.every((parts) => parts.has(part))).slice(0, 12);
}

function* lengthGuards({ wrong, right }: Measured, add: Add): Generator<Draft> {
  const lengths = right.map((text) => text.length);
  if (lengths.length === 0) return;
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const over = wrong.filter((text) => text.length > most).map((text) => text.length);
  const under = wrong.filter((text) => text.length < least).map((text) => text.length);
  if (over.length > 0) {
    yield add(`(?=.{0,${most}}$)`, 0.3);
    yield add(`(?=.{0,${Math.min(...over) - 1}}$)`, 0.4);
  }
  if (under.length > 0) yield add(`(?=.{${Math.max(...under) + 1},}$)`, 0.4);
}
