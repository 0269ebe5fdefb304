import { ts } from "ts-morph";
import { around, replacing, type Change } from "../change.ts";
import { isValue } from "../places.ts";
import type { Scene } from "../scene.ts";

const MUTATORS = new Set(["sort", "reverse", "splice", "push", "unshift", "fill", "pop", "shift"]);

/** A copy before a mutation: `x.sort()` to `[...x].sort()`, and fresh values where they are stored. */
export function* copies(node: ts.Node, scene: Scene): Generator<Change> {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression: receiver, name } = node.expression;
    const isUsed = !ts.isExpressionStatement(node.parent);
    if (isUsed && MUTATORS.has(name.text) && scene.kindOf(receiver) !== "string") {
      yield around("copy", receiver, ["[...", "]"]);
    }
  }
  if (ts.isIdentifier(node) && isValue(node) && isStored(node)) {
    const kind = scene.kindOf(node);
    if (kind !== "object" && kind !== "string" && kind !== "number") {
      yield replacing("copy", node, `[...${node.text}]`, kind === "array" ? 0.5 : 0.2);
    }
    if (kind === "object" || kind === null) {
      yield replacing("copy", node, `{ ...${node.text} }`, kind === "object" ? 0.5 : 0.2);
      yield replacing("copy", node, `structuredClone(${node.text})`, 0.1);
    }
  }
}

function isStored(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    ts.isVariableDeclaration(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isCallExpression(parent) ||
    (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
  );
}
