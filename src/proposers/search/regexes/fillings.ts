import { alikeWidened, wideningsOf } from "./widenings.ts";
import { charsOf, membersFor } from "./generalise.ts";
import type { Hole } from "./holes.ts";
import type { Pattern } from "./pattern.ts";
import { countText } from "./quantifiers.ts";
import { shapesFor, type OwnLeaf, type ShapePlace } from "./shapes.ts";
import { acceptsOf, isLeaf, termsOf, type Leaf, type Term } from "./terms.ts";
import type { PatternVariant } from "../../../ports/editor.ts";
import { ofKind, put, type Draft } from "./variant.ts";

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

/** How likely a change is meant that takes away what matched before. */
const LOSS = 0.15;

/** What may stand in the place of a hole so that the texts which filled it match. */
export function* fillings(pattern: Pattern, hole: Hole, found: Found): Generator<PatternVariant> {
  const { missed } = found;
  if (missed.length === 0 || missed.some((text) => text.length > LONGEST_FILLING)) return;
  const share = missed.length / found.wanted;
  for (const one of all(pattern, hole, found)) yield { ...one, weight: one.weight * share };
}

function* all(pattern: Pattern, hole: Hole, found: Found): Generator<PatternVariant> {
  const { missed, hasOthers } = found;
  if (hole.kind === "gap") {
    yield* ofKind("gap-optional", atTimes(pattern, hole, found));
    if (!hasOthers) yield* ofKind("gap-required", always(pattern, hole, found));
    yield* ofKind("gap-class", someOf(pattern, hole, missed));
  }
  if (hole.kind !== "stretch") return;
  const [only] = hole.terms;
  const leaf = hole.terms.length === 1 && only !== undefined ? only : null;
  if (leaf !== null && isLeaf(leaf.core)) yield* fitted(pattern, leaf, leaf.core, missed);
  yield* replaced(pattern, hole, found);
}

/** Something more between two factors, at times. */
function* atTimes(pattern: Pattern, hole: Hole, { missed, isWhole }: Found): Generator<Draft> {
  for (const { text, weight, style } of shapesFor(missed, isWhole, {
    place: "gap",
    leaves: ownOf(pattern),
  })) {
    const bare = isSingle(text) ? text : `(?:${text})`;
    yield { ...put(pattern, hole, `${bare}?`, weight), style };
  }
}

function* always(pattern: Pattern, hole: Hole, { missed, isWhole }: Found): Generator<Draft> {
  for (const { text, weight, style } of shapesFor(missed, isWhole, {
    place: "gap",
    leaves: ownOf(pattern),
  })) {
    yield { ...put(pattern, hole, text, weight * LOSS), style };
  }
}

function* someOf(pattern: Pattern, hole: Hole, missed: readonly string[]): Generator<Draft> {
  const chars = missed.flatMap((text) => charsOf(text));
  for (const { text, weight, style } of membersFor(chars, null, pattern.flags)) {
    yield { ...put(pattern, hole, `[${text}]*`, weight * 0.8), style };
    yield { ...put(pattern, hole, `[${text}]?`, weight), style };
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
  const classes = wideningsOf(leaf, refused, pattern.flags);
  for (const { text, weight: more, style } of classes) {
    for (const [sign, weight] of signs) {
      const kind = sign === null ? "fit-class" : style === undefined ? "fit-bounds" : "fit-both";
      const by = text + (sign === null ? own : sign + lazy);
      const draft = put(pattern, node, by, weight * more);
      yield* ofKind(kind, [style === undefined ? draft : { ...draft, style }]);
    }
    if (style !== undefined)
      yield* ofKind("alike", alikeWidened(pattern, leaf, { text, weight: more, style }));
  }
}

/** Signs that allow for some counts beside their own bounds; null keeps what stands there. */
function boundsFor(
  [low, high]: readonly [number, number],
  counts: readonly number[],
): [sign: string | null, weight: number][] {
  const [least, most] = [Math.min(low, ...counts), Math.max(high, ...counts)];
  if (least === low && most === high) return [[null, 1]];
  // The further from what was allowed, the less likely it is a matter of counting.
  const further = Math.max(1, low - least, high === Infinity ? 1 : most - high);
  const signs: [string, number][] = [
    [countText(least, most), 1 / Math.sqrt(further)],
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
  if (isOptional) yield* ofKind("optional", [put(pattern, hole, `${bare}?`, 1 / length)]);
  for (const { text, weight, style } of shapesFor(missed, isWhole, {
    place: placeOf(hole),
    leaves: ownOf(pattern),
  })) {
    const sign = isOptional ? "?" : "";
    const made = (by: string): readonly Draft[] => [
      { ...put(pattern, hole, by + sign, weight / length), style },
    ];
    yield* ofKind("alternative", made(`(?:${own}|${text})`));
    // What no row speaks for is better kept than lost.
    if (!found.hasOthers) {
      const draft = put(pattern, hole, `(?:${text})${sign}`, (weight * LOSS) / length);
      yield* ofKind("instead", [{ ...draft, style }]);
    }
    const [only] = hole.terms;
    if (length > 1 || only === undefined || isOptional) continue;
    const { core } = only;
    if (core.type === "Group" || core.type === "CapturingGroup") {
      const last = { start: core.end - 1, end: core.end - 1 };
      yield* ofKind("branch", [{ ...put(pattern, last, `|${text}`, weight), style }]);
    }
  }
}

/** The classes of a pattern, each once: new parts are best written in them. */
function ownOf(pattern: Pattern): readonly OwnLeaf[] {
  const leaves = termsOf(pattern).flatMap(({ core }) =>
    isLeaf(core) && core.type !== "Character" ? [core] : [],
  );
  const distinct = new Map(leaves.map((leaf) => [leaf.raw, leaf]));
  return [...distinct.values()]
    .slice(0, 6)
    .map((leaf) => ({ raw: leaf.raw, accepts: acceptsOf(leaf, pattern.flags) }));
}

/** Whether all that a hole takes the place of is spelt out. */
function placeOf({ terms }: Hole): ShapePlace {
  const isSpelt = ({ core }: Pick<Term, "core">): boolean => {
    if (core.type === "Character") return true;
    if (core.type !== "Group" && core.type !== "CapturingGroup") return false;
    return core.alternatives.every(({ elements }) =>
      elements.every((node) => isSpelt({ core: node.type === "Quantifier" ? node.element : node })),
    );
  };
  return terms.every(isSpelt) ? "words" : "classes";
}

function isSingle(text: string): boolean {
  return /^(?:\\?[^]|\[(?:\\.|[^\]\\])*\]|\(\?:[^()]*\))$/.test(text);
}
