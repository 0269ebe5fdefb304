import { ts } from "ts-morph";
import { around, replacing, type Change } from "../change.ts";
import type { Scene } from "../scene.ts";

/** The start and the end of a counting loop, and what a loop goes through. */
export function* loops(node: ts.Node, scene: Scene): Generator<Change> {
  if (ts.isForStatement(node)) yield* bounds(node, scene);
  if (ts.isForOfStatement(node)) {
    const { expression } = node;
    if (ts.isIdentifier(expression)) {
      yield around("loop", expression, ["", ".slice(1)"], 0.4);
      yield around("loop", expression, ["[...", "].reverse()"], 0.2);
    }
  }
}

function* bounds(node: ts.ForStatement, scene: Scene): Generator<Change> {
  const { initializer, condition } = node;
  if (initializer && ts.isVariableDeclarationList(initializer)) {
    const first = initializer.declarations[0]?.initializer;
    if (first && ts.isNumericLiteral(first)) {
      yield replacing("loop", first, first.text === "0" ? "1" : "0");
      for (const name of scene.names(node).slice(0, 8)) {
        if (scene.kindOfName(name) === "number") {
          yield replacing("loop", first, name, 0.3);
          yield replacing("loop", first, `${name} + 1`, 0.3);
        }
      }
    }
    if (first && ts.isIdentifier(first)) yield around("loop", first, ["", " + 1"]);
  }
  if (condition && ts.isBinaryExpression(condition)) yield* ends(condition.right, scene);
}

function* ends(bound: ts.Expression, scene: Scene): Generator<Change> {
  yield around("loop", bound, ["", " + 1"]);
  yield around("loop", bound, ["", " - 1"]);
  yield around("loop", bound, ["Math.sqrt(", ")"], 0.2);
  if (ts.isIdentifier(bound)) yield around("loop", bound, ["", ".length"], 0.4);
  for (const name of scene.names(bound).slice(0, 8)) {
    const kind = scene.kindOfName(name);
    if (kind === "array" || kind === "string")
      yield replacing("loop", bound, `${name}.length`, 0.5);
  }
}
