import { ts } from "ts-morph";
import type { Json } from "../../domain/json.ts";

/** The value of a literal, composite ones included; undefined for anything that is computed. */
export function valueOf(node: ts.Node): Json | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const value = valueOf(node.operand);
    return typeof value === "number" ? -value : undefined;
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isArrayLiteralExpression(node)) return allOf(node.elements.map(valueOf));
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const members = node.properties.map((member) =>
    ts.isPropertyAssignment(member) ? valueOf(member.initializer) : undefined,
  );
  const values = allOf(members);
  const names = node.properties.map(({ name }) => nameOf(name));
  if (values === undefined) return undefined;
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
}

function nameOf(name: ts.PropertyName | undefined): string {
  if (name === undefined) return "";
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)
    ? name.text
    : name.getText();
}

function allOf(values: readonly (Json | undefined)[]): Json[] | undefined {
  return values.every((value) => value !== undefined) ? [...values] : undefined;
}
