import { ts } from "ts-morph";
import { around, replacing, type Change } from "../change.ts";
import { isComputed, isValue } from "../places.ts";
import { PRECEDENCE, grown, inPlaceOf } from "../precedence.ts";
import type { Scene } from "../scene.ts";

const FAR_STEPS = [2, -2, 3, -3, 10, -10];

/** Sizes of alphabets, units of time and data, limits of ranges, code points of letters. */
const USUAL = [
  10, 12, 16, 24, 26, 60, 64, 65, 90, 91, 97, 100, 122, 123, 255, 256, 360, 365, 1000, 1024,
];

/** Other numbers in the place of a numeric literal: its neighbours, 0, 1, 2, those of the file. */
export function* numbers(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isNumericLiteral(node) || (!ts.isExpression(node.parent) && !isPlain(node.parent)))
    return;
  const value = Number(node.text);
  const others: readonly (readonly [number, number])[] = [
    [value + 1, 1],
    [value - 1, 1],
    [0, 0.8],
    [1, 0.8],
    [2, 0.4],
    [-1, 0.4],
    [-value, 0.3],
    [value * 10, value > 1 ? 0.25 : 0],
    [value / 10, value > 1 ? 0.25 : 0],
    [value * 1000, value > 1 ? 0.1 : 0],
    [value / 1000, value >= 1000 ? 0.3 : 0],
    [value * 2, value > 1 ? 0.3 : 0],
    [value / 2, value > 1 && value % 2 === 0 ? 0.3 : 0],
    ...(value > 9 ? FAR_STEPS : []).map((step) => [value + step, 0.15] as const),
    ...(value > 9 ? USUAL : []).map((other) => [other, 0.1] as const),
    ...scene.numbers.slice(0, 12).map((text) => [Number(text), 0.35] as const),
  ];
  const best = new Map<number, number>();
  for (const [other, weight] of others) {
    if (other !== value && weight > (best.get(other) ?? 0)) best.set(other, weight);
  }
  for (const [other, weight] of best) {
    const text = other < 0 ? inPlaceOf(node, String(other), PRECEDENCE.unary) : String(other);
    yield replacing("number", node, isMinus(node) && other < 0 ? `(${text})` : text, weight);
  }
}

/** One more or one less than a value that may be a count or a position. */
export function* offByOne(node: ts.Node, scene: Scene): Generator<Change> {
  if (!isValue(node) || !isComputed(node) || ts.isNumericLiteral(node)) return;
  if (ts.isParenthesizedExpression(node) || ts.isSpreadElement(node)) return;
  const kind = scene.kindOf(node);
  if (kind !== null && kind !== "number") return;
  if (ts.isBinaryExpression(node.parent) && scene.kindOf(node.parent) === "string") return;
  const weight = (kind === "number" ? 1 : 0.3) * (ts.isCallExpression(node) ? 0.5 : 1);
  yield around("off-by-one", node, grown(node, ["", " + 1"], PRECEDENCE.sum), weight);
  yield around("off-by-one", node, grown(node, ["", " - 1"], PRECEDENCE.sum), weight);
}

function isPlain(node: ts.Node): boolean {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isReturnStatement(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isParameter(node) ||
    ts.isTemplateSpan(node) ||
    ts.isCaseClause(node) ||
    ts.isBindingElement(node)
  );
}

function isMinus(node: ts.Node): boolean {
  return ts.isPrefixUnaryExpression(node.parent);
}
