import { ts } from "ts-morph";
import { around, replacing, type Change } from "../change.ts";
import { atomsAt } from "../atoms.ts";
import { isTest } from "../places.ts";
import { PRECEDENCE, grown } from "../precedence.ts";
import type { Scene } from "../scene.ts";
import { isComparisonToken } from "../tokens.ts";

/** A test turned round, made constant, or joined with one more condition. */
export function* conditions(node: ts.Node, scene: Scene): Generator<Change> {
  if (!isTest(node) || ts.isParenthesizedExpression(node)) return;
  const isComparison = ts.isBinaryExpression(node) && isComparisonToken(node.operatorToken.kind);
  const isNegated =
    ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken;
  if (!isComparison && !isNegated) {
    yield around("negate", node, grown(node, ["!", ""], PRECEDENCE.unary));
  }
  yield replacing("constant", node, "true");
  yield replacing("constant", node, "false");
  const own = node.getText(scene.file);
  for (const { text, weight } of atomsAt(node, scene)) {
    if (text === own) continue;
    yield around("narrow", node, grown(node, ["", ` && ${text}`], PRECEDENCE.and), weight);
    yield around("widen", node, grown(node, ["", ` || ${text}`], PRECEDENCE.or), weight);
  }
}
