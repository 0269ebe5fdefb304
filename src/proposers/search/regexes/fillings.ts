import { widened } from "./classes.ts";
import { charsOf, membersFor } from "./generalise.ts";
import type { Hole } from "./holes.ts";
import type { Pattern } from "./pattern.ts";
import { countText } from "./quantifiers.ts";
import { shapesFor } from "./shapes.ts";
import { acceptsOf, isLeaf, termsOf, type Leaf, type Term } from "./terms.ts";
import type { PatternVariant } from "../../../ports/editor.ts";
import { put, putAll } from "./variant.ts";

/** What was found in a hole. */
export type Found = {
  /** In texts that should match and do not. */
  readonly missed: readonly string[];
  /** Texts that should match and do not, of which some are not of this hole: their number. */
  readonly wanted: number;
  /** Whether some text matches as it should, so that what is there must go on matching. */
  readonly hasOthers: boolean;
  /** Whether a text is one of the rows as a whole. */
  readonly isWhole: (text: string) => boolean;
};

/** Longest filling that is worth a generalisation. */
const LONGEST_FILLING = 64;

/** What may stand in the place of a hole so that the texts which filled it match. */
export function* fillings(pattern: Pattern, hole: Hole, found: Found): Generator<PatternVariant> {
  const { missed } = found;
  if (missed.length === 0 || missed.some((text) => text.length > LONGEST_FILLING)) return;
  const share = missed.length / found.wanted;
  const scaled = (variants: Iterable<PatternVariant>): PatternVariant[] =>
    [...variants].map((one) => ({ ...one, weight: one.weight * share }));
  if (hole.kind === "gap") yield* scaled(inserted(pattern, hole, found));
  if (hole.kind !== "stretch") return;
  const [only] = hole.terms;
  const leaf = hole.terms.length === 1 && only !== undefined ? only : null;
  if (leaf !== null && isLeaf(leaf.core)) yield* scaled(fitted(pattern, leaf, leaf.core, missed));
  yield* scaled(replaced(pattern, hole, found));
}

/** Something more between two factors: at times, or always. */
function* inserted(pattern: Pattern, hole: Hole, found: Found): Generator<PatternVariant> {
  const { missed, hasOthers, isWhole } = found;
  for (const { text, weight } of shapesFor(missed, isWhole)) {
    const bare = isSingle(text) ? text : `(?:${text})`;
    yield put(pattern, hole, `${bare}?`, weight * 0.8);
    if (!hasOthers) yield put(pattern, hole, text, weight * 0.6);
  }
  const chars = missed.flatMap((text) => charsOf(text));
  for (const { text, weight } of membersFor(chars, null, pattern.flags)) {
    yield put(pattern, hole, `[${text}]*`, weight * 0.5);
    yield put(pattern, hole, `[${text}]?`, weight * 0.6);
  }
}

/** A class that takes in what it refused, and bounds that take in what was seen. */
// oxlint-disable-next-line max-params
function* fitted(
  pattern: Pattern,
  { node, core, quantifier }: Term,
  leaf: Leaf,
  missed: readonly string[],
): Generator<PatternVariant> {
  const accepts = acceptsOf(leaf, pattern.flags);
  const refused = missed.flatMap((text) => charsOf(text).filter((char) => !accepts(char)));
  const [low, high] = [quantifier?.min ?? 1, quantifier?.max ?? 1];
  const lengths = missed.map((text) => charsOf(text).length);
  const signs = boundsFor([low, high], lengths);
  const lazy = quantifier !== null && !quantifier.greedy ? "?" : "";
  const own = pattern.text.slice(core.end, node.end);
  const classes = classesFor(leaf, refused, pattern.flags);
  for (const [text, more] of classes) {
    for (const [sign, weight] of signs) {
      yield put(pattern, node, text + (sign === null ? own : sign + lazy), weight * more);
    }
    yield* alikeWidened(pattern, leaf, text, more);
  }
}

function classesFor(leaf: Leaf, refused: readonly string[], flags: string): [string, number][] {
  if (refused.length === 0) return [[leaf.raw, 1]];
  const found = membersFor(refused, leaf, flags).map(({ text, weight }): [string, number] => [
    widened(leaf, text),
    weight,
  ]);
  const twin = leaf.type === "CharacterClass" ? otherCase(leaf.raw, refused) : null;
  return twin === null ? found : [[widened(leaf, twin), 1], ...found];
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
// oxlint-disable-next-line max-params
function* alikeWidened(
  pattern: Pattern,
  leaf: Leaf,
  text: string,
  weight: number,
): Generator<PatternVariant> {
  const same = termsOf(pattern).filter(({ core }) => core.raw === leaf.raw);
  if (same.length < 2 || text === leaf.raw) return;
  const parts = same.map(({ core: { start, end } }) => ({ start, end, by: text }));
  yield putAll(pattern, parts, weight * 0.9);
}

/** Signs that allow for some counts beside their own bounds; null keeps what stands there. */
export function boundsFor(
  [low, high]: readonly [number, number],
  counts: readonly number[],
): [sign: string | null, weight: number][] {
  const [least, most] = [Math.min(low, ...counts), Math.max(high, ...counts)];
  if (least === low && most === high) return [[null, 1]];
  const signs: [string, number][] = [
    [countText(least, most), 1],
    [countText(least, Infinity), 0.4],
  ];
  if (least === 0) signs.push(["*", 0.4]);
  if (most > high) signs.push([countText(least, most + 1), 0.3]);
  if (least > 1) signs.push([countText(least - 1, most), 0.3]);
  return signs;
}

/** Another alternative for what stands there; nothing at all is one too. */
function* replaced(pattern: Pattern, hole: Hole, found: Found): Generator<PatternVariant> {
  const { missed, isWhole } = found;
  const own = pattern.text.slice(hole.start, hole.end);
  const isOptional = missed.includes("");
  const length = hole.terms.length;
  const bare = length === 1 && hole.terms[0]?.quantifier === null ? own : `(?:${own})`;
  if (isOptional) yield put(pattern, hole, `${bare}?`, 0.8 / length);
  for (const { text, weight } of shapesFor(missed, isWhole)) {
    const sign = isOptional ? "?" : "";
    yield put(pattern, hole, `(?:${own}|${text})${sign}`, (weight * 0.6) / length);
    if (!found.hasOthers) yield put(pattern, hole, `(?:${text})${sign}`, (weight * 0.3) / length);
    const [only] = hole.terms;
    if (length > 1 || only === undefined || isOptional) continue;
    const { core } = only;
    if (core.type === "Group" || core.type === "CapturingGroup") {
      yield put(pattern, { start: core.end - 1, end: core.end - 1 }, `|${text}`, weight * 0.8);
    }
  }
}

function isSingle(text: string): boolean {
  return /^(?:\\?[^]|\[(?:\\.|[^\]\\])*\]|\(\?:[^()]*\))$/.test(text);
}
