import { ts } from "ts-morph";
import { around, removing, replacing, type Change, type Splice } from "../change.ts";
import { freeNames } from "../atoms.ts";
import { precedenceOf } from "../precedence.ts";
import type { Scene } from "../scene.ts";
import { isAssignmentToken, isComparisonToken, isLogicalToken } from "../tokens.ts";
import { walk } from "../walk.ts";

/** `a - b / c` to `(a - b) / c`, `a * b - c` to `a * (b - c)`, and parentheses dropped. */
export function* grouping(node: ts.Node): Generator<Change> {
  if (ts.isParenthesizedExpression(node) && ts.isBinaryExpression(node.parent)) {
    if (!ts.isBinaryExpression(node.expression)) return;
    const splices: Splice[] = [
      { op: "splice", start: node.getStart(), end: node.expression.getStart(), text: "" },
      { op: "splice", start: node.expression.end, end: node.end, text: "" },
    ];
    yield { operator: "grouping", at: node, weight: 1, splices };
  }
  if (!ts.isBinaryExpression(node) || !isComputing(node)) return;
  const { left, right } = node;
  if (ts.isBinaryExpression(right) && isComputing(right)) {
    yield parenthesised(node, left.getStart(), right.left.end);
  }
  if (ts.isBinaryExpression(left) && isComputing(left)) {
    yield parenthesised(node, left.right.getStart(), right.end);
    yield removing("drop-operand", node, [left.left.end, node.end], 0.3);
  }
}

/** Every `&&` of a chain to `||`, every boolean of a function to its opposite. */
export function* allAlike(node: ts.Node): Generator<Change> {
  if (ts.isBinaryExpression(node) && isLogicalToken(node.operatorToken.kind)) {
    const tokens = chainOf(node).map(({ operatorToken }) => operatorToken);
    const text = node.operatorToken.getText() === "&&" ? "||" : "&&";
    const isRoot =
      !ts.isBinaryExpression(node.parent) ||
      node.parent.operatorToken.kind !== node.operatorToken.kind;
    if (isRoot && tokens.length > 1) yield each(node, tokens, () => text);
  }
  if (!ts.isFunctionLike(node) || !("body" in node) || !node.body) return;
  const booleans = booleansIn(node.body);
  const opposite = (token: ts.Node): string => (token.getText() === "true" ? "false" : "true");
  if (booleans.length > 1) yield each(node.body, booleans, opposite);
  const returned = booleans.filter(({ parent }) => ts.isReturnStatement(parent));
  const isPart = returned.length > 1 && returned.length < booleans.length;
  if (isPart) yield each(node.body, returned, opposite);
  yield* recased(node.body);
}

/** Every text that is given back, in another case: `yes` and `no` to `Yes` and `No`. */
function* recased(body: ts.Node): Generator<Change> {
  const texts = returnedTexts(body);
  if (texts.length < 2) return;
  for (const recase of [
    capitalised,
    (text: string) => text.toUpperCase(),
    (text: string) => text.toLowerCase(),
  ]) {
    if (texts.some(({ text }) => recase(text) !== text)) {
      yield each(body, texts, (token) => JSON.stringify(recase((token as ts.StringLiteral).text)));
    }
  }
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Literals that a function returns as they are, also as a branch of a conditional. */
function returnedTexts(body: ts.Node): readonly ts.StringLiteral[] {
  const found: ts.StringLiteral[] = [];
  walk(body, (node) => {
    if (!ts.isStringLiteral(node) || !/[A-Za-z]/.test(node.text)) return;
    let at: ts.Node = node.parent;
    while (ts.isConditionalExpression(at) || ts.isParenthesizedExpression(at)) at = at.parent;
    if (ts.isReturnStatement(at) || ts.isArrowFunction(at)) found.push(node);
  });
  return found;
}

/** One more part of a chain of conditions: an old part with two of the chain's names exchanged. */
export function* siblings(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isBinaryExpression(node) || !isLogicalToken(node.operatorToken.kind)) return;
  const parts = operandsOf(node);
  const names = [...new Set(parts.flatMap((part) => freeNames(part)))].slice(0, 6);
  const known = new Set(parts.map((part) => part.getText(scene.file)));
  for (const part of parts) {
    const text = scene.copyOf(part);
    if (text === null || text.length > 80) continue;
    for (const [a, b] of pairsOf(names)) {
      const twin = exchanged(text, a, b);
      if (known.has(twin)) continue;
      known.add(twin);
      yield around("sibling", part, ["", ` ${node.operatorToken.getText(scene.file)} ${twin}`]);
    }
  }
}

/** The result of a call that only computes, kept: assigned to its receiver, or returned. */
export function* usedResults(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return;
  const callee = node.expression.expression;
  const start = node.getStart();
  const put = (text: string): Change => ({
    operator: "use-result",
    at: node,
    weight: 1,
    splices: [{ op: "splice", start, end: start, text }],
  });
  if (
    ts.isPropertyAccessExpression(callee) &&
    /^[\w$.]+$/.test(callee.expression.getText(scene.file))
  ) {
    if (COMPUTING.has(callee.name.text)) yield put(`${callee.expression.getText(scene.file)} = `);
  }
  if (!ts.isPropertyAccessExpression(callee) || COMPUTING.has(callee.name.text))
    yield put("return ");
}

const COMPUTING = new Set(
  "concat filter flat flatMap map padEnd padStart replace replaceAll slice substring toFixed toLowerCase toReversed toSorted toUpperCase trim trimEnd trimStart".split(
    " ",
  ),
);

function isComputing(node: ts.BinaryExpression): boolean {
  const { kind } = node.operatorToken;
  return (
    !isAssignmentToken(kind) &&
    !isComparisonToken(kind) &&
    kind !== ts.SyntaxKind.CommaToken &&
    precedenceOf(node) > 0
  );
}

function parenthesised(at: ts.Node, start: number, end: number): Change {
  const splices: Splice[] = [
    { op: "splice", start, end: start, text: "(" },
    { op: "splice", start: end, end, text: ")" },
  ];
  return { operator: "grouping", at, weight: 1, splices };
}

function each(at: ts.Node, tokens: readonly ts.Node[], text: (token: ts.Node) => string): Change {
  const splices = tokens.flatMap((token) => replacing("all-alike", token, text(token)).splices);
  return { operator: "all-alike", at, weight: 1, splices };
}

/** The operators of one kind in a chain, from left to right. */
function chainOf(node: ts.BinaryExpression): ts.BinaryExpression[] {
  const isSame = (part: ts.Expression): part is ts.BinaryExpression =>
    ts.isBinaryExpression(part) && part.operatorToken.kind === node.operatorToken.kind;
  return [
    ...(isSame(node.left) ? chainOf(node.left) : []),
    node,
    ...(isSame(node.right) ? chainOf(node.right) : []),
  ];
}

function operandsOf(node: ts.BinaryExpression): ts.Expression[] {
  const chain = chainOf(node);
  return chain
    .flatMap(({ left, right }) => [left, right])
    .filter((part) => !chain.includes(part as ts.BinaryExpression));
}

function booleansIn(node: ts.Node): ts.Node[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
    return ts.isLiteralTypeNode(node.parent) ? [] : [node];
  }
  if (ts.isTypeNode(node)) return [];
  const found: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    found.push(...booleansIn(child));
  });
  return found;
}

function pairsOf(names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((a, at) => names.slice(at + 1).map((b) => [a, b] as const));
}

/** Exchanges two whole words of a text. */
function exchanged(text: string, a: string, b: string): string {
  return text.replace(/[A-Za-z_$][\w$]*/g, (word) => (word === a ? b : word === b ? a : word));
}
