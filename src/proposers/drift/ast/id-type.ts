import { ts } from "ts-morph";
import {
  nodesOf,
  ordered,
  splice,
  type DriftEdit,
  type DriftScene,
  type Splice,
} from "./drift-scene.ts";

const KEYED = ["get", "has", "set", "includes", "indexOf", "delete", "add"];

/**
 * Identifiers that come as numbers here and as text there are compared as text: both sides of a
 * comparison, and the keys of maps and sets.
 */
export function* idType({ file, evidence }: DriftScene): Generator<DriftEdit> {
  if (!hasMixedIds(JSON.stringify(evidence.payloads))) return;
  const nodes = nodesOf(file);
  const comparisons = nodes.filter(isComparison).map(asText);
  const keys = nodes.filter(isKeyed).map(keyAsText);
  const reason = "an id comes as a number here and as text there";
  for (const edits of [keys.flat(), ...comparisons, [...comparisons, ...keys].flat()]) {
    if (edits.length > 0) yield { edits: ordered(edits), operator: "id-type", reason };
  }
}

/** Whether the payloads write some integer once as a number and once as text, or only as text. */
function hasMixedIds(text: string): boolean {
  return /"\d+"/.test(text) || /\bid"\s*:\s*\d/i.test(text);
}

function isComparison(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  const { EqualsEqualsEqualsToken, ExclamationEqualsEqualsToken } = ts.SyntaxKind;
  if (![EqualsEqualsEqualsToken, ExclamationEqualsEqualsToken].includes(kind)) return false;
  return [node.left, node.right].every(isData);
}

function isData(node: ts.Expression): boolean {
  return (
    (ts.isIdentifier(node) ||
      ts.isPropertyAccessExpression(node) ||
      ts.isElementAccessExpression(node)) &&
    node.getText() !== "undefined"
  );
}

function asText({ left, right }: ts.BinaryExpression): Splice[] {
  return [...wrapped(left), ...wrapped(right)];
}

function isKeyed(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const [key] = node.arguments;
  return KEYED.includes(node.expression.name.text) && key !== undefined && isData(key);
}

function keyAsText(node: ts.CallExpression): Splice[] {
  const [key] = node.arguments;
  return key ? wrapped(key) : [];
}

function wrapped(node: ts.Expression): Splice[] {
  const start = node.getStart();
  return [splice(start, start, "String("), splice(node.end, node.end, ")")];
}
