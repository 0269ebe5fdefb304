import type { AST } from "@eslint-community/regexpp";
import type { Pattern } from "./pattern.ts";
import { choicesOf, termsOf, type Term } from "./terms.ts";
import { put, putAll, type Draft } from "./variant.ts";

/** Alternatives dropped and put in another order; stretches of factors made optional, or a group. */
export function* groupVariants(pattern: Pattern): Generator<Draft> {
  for (const alternatives of choicesOf(pattern)) yield* choiceVariants(pattern, alternatives);
  const terms = termsOf(pattern);
  yield* stretches(pattern, terms);
  yield* optionalParts(pattern, terms);
  for (const { core } of terms) {
    if (core.type === "CapturingGroup" && core.name === null) {
      yield put(pattern, core, `(?:${core.raw.slice(1)}`, 0.2);
    }
    if (core.type === "Assertion" && "negate" in core && "alternatives" in core) {
      yield put(
        pattern,
        core,
        core.raw.replace(/[=!]/, (sign) => (sign === "=" ? "!" : "=")),
        0.4,
      );
      yield put(pattern, core, "", 0.5);
    }
  }
}

function* choiceVariants(
  pattern: Pattern,
  alternatives: readonly AST.Alternative[],
): Generator<Draft> {
  if (alternatives.length < 2) return;
  const [first, last] = [alternatives[0], alternatives.at(-1)] as AST.Alternative[];
  const whole = { start: first?.start ?? 0, end: last?.end ?? 0 };
  const texts = alternatives.map(({ raw }) => raw);
  for (const at of texts.keys()) yield put(pattern, whole, texts.toSpliced(at, 1).join("|"), 0.3);
  // The first that matches is taken: longer ones have to stand before shorter ones.
  const byLength = texts.toSorted((a, b) => b.length - a.length);
  yield put(pattern, whole, byLength.join("|"), 0.5);
  yield put(pattern, whole, texts.toReversed().join("|"), 0.3);
}

/** Two to four factors in a row, as a group that may be missing or be repeated. */
function* stretches(pattern: Pattern, terms: readonly Term[]): Generator<Draft> {
  for (const { alternative, at, node } of terms) {
    for (let length = 2; length <= 4; length += 1) {
      const row = alternative.elements.slice(at, at + length);
      const last = row.at(-1);
      if (row.length < length || last === undefined || row.some(isEdge)) break;
      const range = { start: node.start, end: last.end };
      const text = pattern.text.slice(range.start, range.end);
      yield put(pattern, range, `(?:${text})?`, 0.4 / length);
      yield put(pattern, range, `(?:${text})*`, 0.2 / length);
    }
  }
}

function isEdge(node: AST.Element): boolean {
  return node.type === "Assertion" && (node.kind === "start" || node.kind === "end");
}

/** A group with the mark before it, not there at times: each by itself, and all alike. */
function* optionalParts(pattern: Pattern, terms: readonly Term[]): Generator<Draft> {
  const parts = terms.flatMap(({ core, quantifier, alternative, at }) => {
    if (quantifier !== null || !("alternatives" in core) || core.type === "Assertion") return [];
    const before = alternative.elements[at - 1];
    const mark = before?.type === "Character" && /^\\?[^\w\s]$/.test(before.raw) ? before : null;
    const text = mark === null ? `${core.raw}?` : `(?:${mark.raw}${core.raw})?`;
    return [{ start: mark?.start ?? core.start, end: core.end, by: text, mark: mark?.raw ?? "" }];
  });
  for (const part of parts) yield putAll(pattern, [part], 0.6);
  for (const same of Map.groupBy(parts, ({ mark }) => mark).values()) {
    if (same.length > 1 && areApart(same)) yield putAll(pattern, same, 0.6);
  }
}

function areApart(parts: readonly { readonly start: number; readonly end: number }[]): boolean {
  const sorted = parts.toSorted((a, b) => a.start - b.start);
  return sorted.every(({ end }, at) => end <= (sorted[at + 1]?.start ?? Infinity));
}
