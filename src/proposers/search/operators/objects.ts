import { ts } from "ts-morph";
import { replacing, type Change } from "../change.ts";
import { isComputed, isValue } from "../places.ts";
import type { Scene } from "../scene.ts";

/** Objects used as dictionaries, without the members that every object inherits. */
export function* objects(node: ts.Node, scene: Scene): Generator<Change> {
  if (ts.isObjectLiteralExpression(node) && node.properties.length === 0 && isComputed(node)) {
    yield replacing("bare-object", node, "Object.create(null)");
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword) {
    const [key, owner] = [scene.copyOf(node.left), scene.copyOf(node.right)];
    if (key !== null && owner !== null) {
      yield replacing("bare-object", node, `Object.hasOwn(${owner}, ${key})`);
    }
  }
  if (ts.isElementAccessExpression(node) && isValue(node)) yield* owned(node, scene);
}

/** `o[k]` to `Object.hasOwn(o, k) ? o[k] : undefined`, and as a test to `Object.hasOwn(o, k)`. */
function* owned(node: ts.ElementAccessExpression, scene: Scene): Generator<Change> {
  const [owner, key] = [scene.copyOf(node.expression), scene.copyOf(node.argumentExpression)];
  if (owner === null || key === null || scene.kindOf(node.expression) === "string") return;
  const has = `Object.hasOwn(${owner}, ${key})`;
  yield replacing("bare-object", node, `(${has} ? ${owner}[${key}] : undefined)`, 0.6);
  const isTested =
    ts.isIfStatement(node.parent) ||
    ts.isPrefixUnaryExpression(node.parent) ||
    ts.isConditionalExpression(node.parent);
  if (isTested) yield replacing("bare-object", node, has);
}
