import { ts } from "ts-morph";
import { around, type Change } from "../change.ts";
import { functionAround } from "../places.ts";
import { PRECEDENCE, grown } from "../precedence.ts";
import type { Scene } from "../scene.ts";

/** `await` before a call, in a function that may wait. */
export function* waiting(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isCallExpression(node) || ts.isAwaitExpression(node.parent)) return;
  const around_ = functionAround(node);
  const isAsync = around_?.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  if (isAsync) {
    const text = node.expression.getText(scene.file);
    const weight = /fetch|json|text|get|set|load|save|call|sleep/i.test(text) ? 1 : 0.4;
    yield around("await", node, grown(node, ["await ", ""], PRECEDENCE.unary), weight);
  }
  yield* gathered(node);
}

/** `xs.map(async …)` to `await Promise.all(xs.map(async …))`. */
function* gathered(node: ts.CallExpression): Generator<Change> {
  const [callback] = node.arguments;
  if (!callback || !ts.isArrowFunction(callback)) return;
  if (!callback.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)) return;
  const outside = functionAround(node);
  if (outside?.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)) {
    yield around("await", node, ["await Promise.all(", ")"]);
  }
}
