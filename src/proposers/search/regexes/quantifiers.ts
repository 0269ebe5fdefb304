import type { AST } from "@eslint-community/regexpp";
import type { Pattern } from "./pattern.ts";
import { isAssertion, isLeaf, termsOf, type Term } from "./terms.ts";
import { put, type Draft } from "./variant.ts";

/** How often a part is matched: bounds a step on, open, optional, required; greedy or lazy. */
export function* quantifierVariants(pattern: Pattern): Generator<Draft> {
  for (const term of termsOf(pattern)) {
    if (isAssertion(term.core)) continue;
    for (const [sign, weight] of signsOf(term))
      yield put(pattern, term.node, term.core.raw + sign, weight);
  }
}

function* signsOf({ core, quantifier }: Term): Generator<readonly [string, number]> {
  if (quantifier === null) {
    const isPlain = core.type === "Character" && /^\w$/.test(core.raw);
    const weight = isPlain ? 0.2 : 0.6;
    yield* [
      ["?", weight],
      ["+", isLeaf(core) ? weight : weight / 2],
      ["*", weight / 2],
      ["{2}", weight / 6],
    ] as const;
    return;
  }
  const own = signOf(quantifier);
  yield* bounds(quantifier);
  for (const [sign, weight] of [
    ["*", 0.8],
    ["+", 0.8],
    ["?", 0.7],
    ["", 0.4],
  ] as const) {
    if (sign !== own) yield [sign, weight];
  }
  if (quantifier.max > 1 && quantifier.min !== quantifier.max) {
    yield [quantifier.greedy ? `${own}?` : own.slice(0, -1), 0.7];
  }
}

function* bounds({ min, max }: AST.Quantifier): Generator<readonly [string, number]> {
  const isCounted = max !== Infinity && max > 1;
  if (!isCounted && min < 2) return;
  for (const step of [1, -1]) {
    if (min === max) yield [countText(min + step, max + step), 0.8];
    if (min + step >= 0) yield [countText(min + step, max), 0.8];
    if (max !== Infinity) yield [countText(min, max + step), 0.8];
  }
  if (max !== Infinity) yield [countText(min, Infinity), 0.6];
  if (min !== max) return;
  yield* [
    [countText(1, max), 0.4],
    [countText(min, max + 2), 0.3],
    [countText(min - 2, max), 0.3],
  ] as const;
}

function signOf({ raw, element }: AST.Quantifier): string {
  return raw.slice(element.raw.length);
}

/** How one writes that a part stands from `low` to `high` times; empty text where it is once. */
export function countText(low: number, high: number): string {
  const [from, to] = [Math.max(0, low), Math.max(high, low, 0)];
  if (from === 1 && to === 1) return "";
  if (from === 0 && to === 1) return "?";
  if (to === Infinity) return from === 0 ? "*" : from === 1 ? "+" : `{${from},}`;
  return from === to ? `{${from}}` : `{${from},${to}}`;
}
