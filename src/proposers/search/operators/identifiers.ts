import { ts } from "ts-morph";
import { around, replacing, type Change } from "../change.ts";
import type { Kind } from "../kinds.ts";
import { isCallee, isComputed, isValue } from "../places.ts";
import { PRECEDENCE, grown } from "../precedence.ts";
import type { Scene } from "../scene.ts";
import { isAssignmentToken } from "../tokens.ts";

const MOST_NAMES = 14;

/** Another name that can be read here, or written here; names of the same kind first. */
export function* identifiers(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isIdentifier(node) || !(isValue(node) || isTarget(node))) return;
  const kind = scene.kindOf(node);
  const called = isCallee(node);
  for (const name of scene.names(node).slice(0, MOST_NAMES)) {
    if (name === node.text) continue;
    const weight = likeness(kind, scene.kindOfName(name), called);
    if (weight > 0) yield replacing("identifier", node, name, weight);
  }
}

/** A visible name in the place of a larger value, or of a literal. */
export function* expressions(node: ts.Node, scene: Scene): Generator<Change> {
  if (!isValue(node) || !isComputed(node) || ts.isIdentifier(node)) return;
  if (ts.isFunctionLike(node) || node.end - node.getStart() > 60) return;
  const kind = scene.kindOf(node);
  const isLiteral = ts.isLiteralExpression(node) || node.getText(scene.file).length < 4;
  for (const name of scene.names(node).slice(0, MOST_NAMES)) {
    const weight = likeness(kind, scene.kindOfName(name), false) * (isLiteral ? 1 : 0.6);
    if (weight > 0) yield replacing("expression", node, name, weight);
  }
}

/** One more operand: `x` to `x + y`, and to other sums and products with visible names. */
export function* moreOperands(node: ts.Node, scene: Scene): Generator<Change> {
  if (!isValue(node) || !isComputed(node) || ts.isFunctionLike(node)) return;
  if (ts.isParenthesizedExpression(node) || ts.isRegularExpressionLiteral(node)) return;
  const kind = scene.kindOf(node);
  if (kind !== null && kind !== "number" && kind !== "string") return;
  for (const name of scene.names(node).slice(0, MOST_NAMES)) {
    const other = scene.kindOfName(name);
    if (name === node.getText(scene.file) || !isAddable(other)) continue;
    const weight =
      kind === other && kind !== null ? 1 : kind === null || other === null ? 0.3 : 0.05;
    yield around("add-operand", node, grown(node, ["", ` + ${name}`], PRECEDENCE.sum), weight);
    if (kind === "string" || other === "string") {
      yield around("add-operand", node, grown(node, [`${name} + `, ""], PRECEDENCE.sum), weight);
      continue;
    }
    yield around("add-operand", node, grown(node, ["", ` - ${name}`], PRECEDENCE.sum), weight);
    const product = grown(node, ["", ` * ${name}`], PRECEDENCE.product);
    yield around("add-operand", node, product, weight * 0.5);
  }
}

/** One more literal: a separator in a text, a factor, divisor or modulus in a number. */
export function* moreLiterals(node: ts.Node, scene: Scene): Generator<Change> {
  if (!isValue(node) || !isComputed(node) || ts.isLiteralExpression(node)) return;
  const kind = scene.kindOf(node);
  if (kind === "number" && !ts.isParenthesizedExpression(node)) {
    for (const text of new Set(["2", "10", "100", ...scene.numbers.slice(0, 6)])) {
      if (text === "0" || text === "1") continue;
      for (const sign of ["*", "/", "%"]) {
        const texts = grown(node, ["", ` ${sign} ${text}`], PRECEDENCE.product);
        yield around("add-operand", node, texts, 0.15);
      }
    }
  }
  if (kind !== "string" && !(kind === null && isJoined(node, scene))) return;
  for (const text of new Set([
    '" "',
    '","',
    '", "',
    '"."',
    '"/"',
    '"\\n"',
    ...scene.strings.slice(0, 6),
  ])) {
    yield around("add-operand", node, grown(node, ["", ` + ${text}`], PRECEDENCE.sum), 0.3);
    yield around("add-operand", node, grown(node, [`${text} + `, ""], PRECEDENCE.sum), 0.2);
  }
}

function isJoined(node: ts.Expression, scene: Scene): boolean {
  return ts.isBinaryExpression(node.parent) && scene.kindOf(node.parent) === "string";
}

function isAddable(kind: Kind | null): boolean {
  return kind === null || kind === "number" || kind === "string";
}

/** Whether a name is written by an assignment or an update. */
function isTarget(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    return parent.left === node && isAssignmentToken(parent.operatorToken.kind);
  }
  return ts.isPostfixUnaryExpression(parent) || ts.isPrefixUnaryExpression(parent);
}

function likeness(from: Kind | null, to: Kind | null, called: boolean): number {
  if (called) return to === "function" ? 1 : 0;
  if (to === "function") return from === "function" ? 1 : 0.02;
  if (from === null || to === null) return 0.5;
  return from === to ? 1 : 0.12;
}
