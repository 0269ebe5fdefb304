import { ts } from "ts-morph";
import { around, replacing, type Change } from "../change.ts";
import { isComputed, isValue } from "../places.ts";
import { PRECEDENCE, grown } from "../precedence.ts";
import type { Scene } from "../scene.ts";

const ROUNDERS = ["Math.round", "Math.floor", "Math.ceil", "Math.trunc"];

/** Rounding to hundredths, half a unit in the last place, and rounding before or after a product. */
export function* rounding(node: ts.Node, scene: Scene): Generator<Change> {
  if (isValue(node) && isComputed(node) && ts.isIdentifier(node)) yield* units(node, scene);
  if (ts.isCallExpression(node)) yield* called(node, scene);
  if (!isValue(node) || !isComputed(node) || !ts.isBinaryExpression(node)) return;
  if (scene.kindOf(node) !== "number") return;
  const weight = isScaled(node) ? 1 : 0.3;
  yield around("rounding", node, ["Math.round(", ")"], weight);
  yield around("rounding", node, ["Math.round((", ") * 100) / 100"], weight * 0.7);
  yield around("rounding", node, ["Number((", ").toFixed(2))"], weight * 0.5);
}

/** Seconds where milliseconds are meant, and the other way round; by size where both may come. */
function* units(node: ts.Identifier, scene: Scene): Generator<Change> {
  const kind = scene.kindOf(node);
  if (kind !== "number" && kind !== null) return;
  const weight = /time|stamp|date|sec|ms|milli|epoch|at$/i.test(node.text) ? 1 : 0.1;
  const name = node.text;
  const choice = `(${name} < 1e11 ? ${name} * 1000 : ${name})`;
  yield replacing("rounding", node, choice, weight);
  yield around("rounding", node, grown(node, ["", " * 1000"], PRECEDENCE.product), weight);
  yield around("rounding", node, grown(node, ["", " / 1000"], PRECEDENCE.product), weight);
}

function* called(node: ts.CallExpression, scene: Scene): Generator<Change> {
  const name = node.expression.getText(scene.file);
  const [argument] = node.arguments;
  if (!argument) return;
  const value = scene.copyOf(argument);
  if (name === "String" && value !== null) {
    yield replacing("rounding", node, `(${value}).toFixed(2)`);
    yield replacing("rounding", node, `(Math.round(${value} * 100) / 100).toFixed(2)`);
    yield replacing("rounding", node, `String(Math.round(${value} * 100) / 100)`, 0.6);
  }
  if (name === "parseInt") {
    yield replacing("rounding", node.expression, "Math.round");
    yield around("rounding", argument, ["Math.round(", ")"], 0.5);
  }
  if (!ROUNDERS.includes(name) || node.arguments.length !== 1) return;
  yield around("rounding", argument, ["(", ") + Number.EPSILON"], 0.5);
  yield around("rounding", argument, ["Number((", ").toFixed(8))"]);
  yield around("rounding", argument, ["Number((", ").toPrecision(12))"]);
  yield around("rounding", argument, ["", " + 0.5"], 0.4);
}

function isScaled(node: ts.BinaryExpression): boolean {
  const { AsteriskToken, SlashToken } = ts.SyntaxKind;
  return [AsteriskToken, SlashToken].includes(node.operatorToken.kind);
}
