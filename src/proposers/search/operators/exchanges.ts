import { ts } from "ts-morph";
import { exchanging, replacing, type Change } from "../change.ts";
import { inPlaceOf, precedenceOf, PRECEDENCE } from "../precedence.ts";
import type { Scene } from "../scene.ts";
import { isComparisonToken, isLogicalToken } from "../tokens.ts";

/**
 * Two parts of one kind that stand in each other's place: what two comparisons compare with, the
 * branches of an `if`, the results of two branches, the operands at the end of a sum of products.
 */
export function* exchanges(node: ts.Node, scene: Scene): Generator<Change> {
  if (ts.isBinaryExpression(node)) {
    if (isLogicalToken(node.operatorToken.kind)) yield* comparedWith(node, scene);
    else yield* reassociated(node, scene);
  }
  if (ts.isIfStatement(node) && node.elseStatement && !ts.isIfStatement(node.elseStatement)) {
    yield* exchanged([node.thenStatement, node.elseStatement], scene);
  }
  if (ts.isConditionalExpression(node)) yield* exchanged([node.whenTrue, node.whenFalse], scene);
}

/** `a === x && b === y` to `a === y && b === x`. */
function* comparedWith(node: ts.BinaryExpression, scene: Scene): Generator<Change> {
  const [first, second] = [lastOf(node.left), firstOf(node.right)];
  if (!isComparison(first) || !isComparison(second)) return;
  yield* exchanged([first.right, second.right], scene);
  yield* exchanged([first.left, second.left], scene);
}

/** `a - b / c` to `a / c - b`, and `a / c - b` to `(a - b) / c`. */
function* reassociated(node: ts.BinaryExpression, scene: Scene): Generator<Change> {
  const outer = precedenceOf(node);
  const inner = ts.isBinaryExpression(node.right) ? node.right : null;
  if (outer !== PRECEDENCE.sum || inner === null) return;
  if (precedenceOf(inner) !== PRECEDENCE.product || precedenceOf(node.left) <= outer) return;
  const [a, b, c] = [node.left, inner.left, inner.right].map((part) => scene.copyOf(part));
  if (a == null || b == null || c == null) return;
  const [sign, times] = [node, inner].map(({ operatorToken }) => operatorToken.getText(scene.file));
  const text = inPlaceOf(node, `${a} ${times} ${c} ${sign} ${b}`, PRECEDENCE.sum);
  yield replacing("exchange", node, text);
}

function* exchanged([first, second]: readonly [ts.Node, ts.Node], scene: Scene): Generator<Change> {
  const [a, b] = [scene.copyOf(first), scene.copyOf(second)];
  if (a === null || b === null || a === b) return;
  yield exchanging("exchange", [first, second], [b, a]);
}

function isComparison(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && isComparisonToken(node.operatorToken.kind);
}

/** The part of a chain of conditions that stands last, or first. */
function lastOf(node: ts.Expression): ts.Expression {
  return ts.isBinaryExpression(node) && isLogicalToken(node.operatorToken.kind)
    ? lastOf(node.right)
    : node;
}

function firstOf(node: ts.Expression): ts.Expression {
  return ts.isBinaryExpression(node) && isLogicalToken(node.operatorToken.kind)
    ? firstOf(node.left)
    : node;
}
