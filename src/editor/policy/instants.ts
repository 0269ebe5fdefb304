import { ts } from "ts-morph";

/** Parts of a date: year, month, day, hour, or its text. */
const PARTS = /\.(?:get(?:UTC)?(?:FullYear|Month|Date|Day|Hours|Minutes)|to\w*String|toJSON)\(/;

/** Whether an expression asks a date for a part of it. */
export function readsPart(node: ts.Node): boolean {
  return PARTS.test(`${node.getText()}(`);
}

/** Literals, and what `Date` and `Number` make of them. */
export function isConstant(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) {
    return /^(?:Date|Number|BigInt|UTC|parse|getTime|valueOf)$/.test(node.text) || isConst(node);
  }
  return ts.forEachChild(node, (child) => (isConstant(child) ? undefined : true)) !== true;
}

/** Seconds since the epoch of 2001: no duration is as long. */
const LEAST_INSTANT = 1_000_000_000;

/** Whether an expression of constants is a point in time. */
export function isInstant(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) {
    const declared = constantOf(node)?.initializer;
    return declared !== undefined && isInstant(declared);
  }
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) {
    return Number(node.text.replace(/n$/, "")) >= LEAST_INSTANT;
  }
  if (ts.isStringLiteralLike(node)) return /^\d{4}-\d\d/.test(node.text);
  if (ts.isNewExpression(node) && node.expression.getText() === "Date") return true;
  if (ts.isCallExpression(node) && /^Date\.(?:UTC|parse)$/.test(node.expression.getText())) {
    return true;
  }
  return ts.forEachChild(node, (child) => (isInstant(child) ? true : undefined)) === true;
}

/** Whether a name stands for a constant of the file. */
function isConst(node: ts.Identifier): boolean {
  const declared = constantOf(node);
  return declared?.initializer !== undefined && isConstant(declared.initializer);
}

function constantOf(node: ts.Identifier): ts.VariableDeclaration | undefined {
  const find = (inner: ts.Node): ts.VariableDeclaration | undefined => {
    const isIt =
      ts.isVariableDeclaration(inner) &&
      ts.isIdentifier(inner.name) &&
      inner.name.text === node.text &&
      (inner.parent.flags & ts.NodeFlags.Const) !== 0 &&
      !(inner.pos <= node.pos && node.end <= inner.end);
    return isIt ? inner : ts.forEachChild(inner, find);
  };
  return find(node.getSourceFile());
}
