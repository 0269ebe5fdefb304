import type { AST } from "@eslint-community/regexpp";
import type { Pattern } from "./pattern.ts";
import { isAssertion, termsOf, type Term } from "./terms.ts";
import type { PatternText } from "../../../ports/editor.ts";
import { insert, put } from "./variant.ts";

/**
 * A pattern with a hole: its group `hone_` takes whatever would have to stand there for a text to
 * match (after the templates of RFixer: Pan, Hu, Xu, D'Antoni, "Automatic repair of regular
 * expressions", OOPSLA 2019; here the engine itself fills them in).
 */
export type Hole = {
  readonly kind: "stretch" | "gap" | "measure";
  /** The factors in whose place it stands; none for a gap. */
  readonly terms: readonly Term[];
  readonly start: number;
  readonly end: number;
  readonly filled: PatternText;
};

/** Factors in a row that one hole takes the place of, at most. */
const LONGEST = 4;

/** Larger patterns have holes for single factors and gaps only, and the largest none. */
const MANY_TERMS = 60;
const MOST_TERMS = 240;

/** The name of the group that tells what is in a hole. */
export const HOLE = "hone_";

/**
 * All holes of a pattern: in the place of each factor and of a few in a row, between factors, and
 * around each factor as it is. None inside look-arounds, nor where references count the groups.
 */
export function holesOf(pattern: Pattern): readonly Hole[] {
  const terms = termsOf(pattern).filter(({ node }) => !isInLookaround(node));
  if (terms.length > MOST_TERMS || /\\(?:[1-9]|k<)/.test(pattern.text)) return [];
  const longest = terms.length > MANY_TERMS ? 1 : LONGEST;
  return terms.flatMap((term) => [
    ...stretchesFrom(pattern, term, longest),
    ...gapsAt(pattern, term),
    ...(isAssertion(term.core) ? [] : [measure(pattern, term)]),
  ]);
}

function stretchesFrom(pattern: Pattern, term: Term, longest: number): Hole[] {
  const { elements } = term.alternative;
  const holes: Hole[] = [];
  for (let length = 1; length <= longest; length += 1) {
    const row = elements.slice(term.at, term.at + length);
    const last = row.at(-1);
    if (row.length < length || last === undefined || isAssertion(last)) break;
    const terms = row.map((node, at): Term => ({
      ...termOf(node),
      alternative: term.alternative,
      at: term.at + at,
    }));
    const range = { start: term.node.start, end: last.end };
    const filled = put(pattern, range, `(?<${HOLE}>[^]*?)`, 1);
    holes.push({ kind: "stretch", terms, ...range, filled });
  }
  return holes;
}

function termOf(node: AST.Element): Pick<Term, "node" | "core" | "quantifier"> {
  const quantifier = node.type === "Quantifier" ? node : null;
  return { node, core: quantifier?.element ?? node, quantifier };
}

/** Before a factor, and behind the last one; outside of anchors there is nothing to fill in. */
function gapsAt(pattern: Pattern, { node, alternative, at }: Term): Hole[] {
  const isStart = node.type === "Assertion" && node.kind === "start";
  const isLast = at === alternative.elements.length - 1 && !isAssertion(node);
  const places = [...(isStart ? [] : [node.start]), ...(isLast ? [node.end] : [])];
  return places.map((place) => {
    const filled = insert(pattern, place, `(?<${HOLE}>[^]+?)`, 1);
    return { kind: "gap", terms: [], start: place, end: place, filled };
  });
}

function measure(pattern: Pattern, { node, core, quantifier, alternative, at }: Term): Hole {
  const range = { start: node.start, end: node.end };
  const filled = put(pattern, range, `(?<${HOLE}>${node.raw})`, 1);
  return {
    kind: "measure",
    terms: [{ node, core, quantifier, alternative, at }],
    ...range,
    filled,
  };
}

function isInLookaround(node: AST.Node): boolean {
  for (let at: AST.Node | null = node.parent; at !== null; at = at.parent) {
    if (at.type === "Assertion") return true;
  }
  return false;
}
