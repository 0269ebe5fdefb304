import { ts } from "ts-morph";
import { isAssignmentToken } from "../tokens.ts";

/** What one oddity weighs, in the unit of costs. */
const LAYOUT = 0.5;
const IDLE = 1;
const UNKNOWN = 0.8;

const GLOBALS = new Set([
  ...Object.getOwnPropertyNames(globalThis),
  "arguments",
  "undefined",
  "ctx",
]);

/**
 * How odd a program looks that parses: lines that stand elsewhere than their brackets say,
 * statements that do nothing, names that nobody declares. Nothing forbids them, and nobody writes
 * them; what parses by accident is full of them.
 */
export function oddityOf(text: string): number {
  const file = ts.createSourceFile("f.ts", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const declared = declaredIn(file);
  const unknown = new Set<string>();
  let odd = 0;
  const visit = (node: ts.Node): void => {
    odd += LAYOUT * misplacedIn(node, file);
    if (isIdle(node)) odd += IDLE;
    if (ts.isIdentifier(node) && isUse(node) && !declared.has(node.text)) unknown.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return odd + UNKNOWN * [...unknown].filter((name) => !GLOBALS.has(name)).length;
}

/** Lines inside a bracketed list that do not stand where their neighbours and brackets do. */
function misplacedIn(node: ts.Node, file: ts.SourceFile): number {
  const members = membersOf(node);
  if (members === null) return 0;
  const ownLine = ts.isSourceFile(node) ? -1 : lineAt(node.getStart(file), file);
  const outer = ts.isSourceFile(node) ? -1 : indentOf(ownLine, file);
  const columns = members
    .map((member) => member.getStart(file))
    .filter((start) => isFirstOnLine(start, file) && lineAt(start, file) !== ownLine)
    .map((start) => file.getLineAndCharacterOfPosition(start).character);
  const [usual = 0] = columns;
  let misplaced = columns.filter((column) => column !== usual || column <= outer).length;
  if (ts.isSourceFile(node)) return misplaced;
  const closing = node.end - 1;
  const closes = file.getLineAndCharacterOfPosition(closing);
  if (isFirstOnLine(closing, file) && closes.character !== outer) misplaced += 1;
  else if (columns.length > 0 && !isFirstOnLine(closing, file)) misplaced += 1;
  return misplaced;
}

function membersOf(node: ts.Node): readonly ts.Node[] | null {
  if (ts.isSourceFile(node) || ts.isBlock(node)) return node.statements;
  if (ts.isObjectLiteralExpression(node)) return node.properties;
  if (ts.isArrayLiteralExpression(node)) return node.elements;
  if (ts.isCaseBlock(node)) return node.clauses;
  return null;
}

function lineAt(offset: number, file: ts.SourceFile): number {
  return file.getLineAndCharacterOfPosition(offset).line;
}

function lineText(line: number, file: ts.SourceFile): string {
  const starts = file.getLineStarts();
  return file.text.slice(starts[line] ?? 0, starts[line + 1] ?? file.text.length);
}

function indentOf(line: number, file: ts.SourceFile): number {
  return /^[ \t]*/.exec(lineText(line, file))?.[0].length ?? 0;
}

function isFirstOnLine(offset: number, file: ts.SourceFile): boolean {
  const { line, character } = file.getLineAndCharacterOfPosition(offset);
  return lineText(line, file).slice(0, character).trim() === "";
}

/** A statement without effect, a label without a loop, an assignment in a condition. */
function isIdle(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) return isPure(node.expression);
  if (ts.isLabeledStatement(node)) return !ts.isIterationStatement(node.statement, false);
  if (ts.isEmptyStatement(node)) return true;
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return isAssignment(node.expression);
  if (ts.isReturnStatement(node)) return isFollowedOnLine(node);
  if (ts.isBinaryExpression(node)) {
    return node.operatorToken.kind === ts.SyntaxKind.CommaToken && !isInFor(node);
  }
  return false;
}

function isPure(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isPure(node.expression);
  if (ts.isStringLiteral(node)) return node.text !== "use strict";
  if (ts.isBinaryExpression(node))
    return !isAssignment(node) && isPure(node.left) && isPure(node.right);
  return (
    ts.isIdentifier(node) ||
    ts.isLiteralExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isArrowFunction(node)
  );
}

function isAssignment(node: ts.Expression): boolean {
  return ts.isBinaryExpression(node) && isAssignmentToken(node.operatorToken.kind);
}

/** `return` with nothing, in front of more code in the same list of statements. */
function isFollowedOnLine(node: ts.ReturnStatement): boolean {
  const { parent } = node;
  return ts.isBlock(parent) && parent.statements.at(-1) !== node;
}

function isInFor({ parent }: ts.Node): boolean {
  return ts.isForStatement(parent) || ts.isBinaryExpression(parent);
}

/** Every name that something in the file declares, whatever its scope. */
function declaredIn(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const { name } = node as { readonly name?: ts.Node };
    if (name !== undefined && ts.isIdentifier(name) && isDeclaration(node)) names.add(name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

function isDeclaration(node: ts.Node): boolean {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeParameterDeclaration(node)
  );
}

/** Whether an identifier stands for a value; types count for nothing here. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent)) return false;
  if (ts.isTypeReferenceNode(parent) || ts.isTypeElement(parent)) return false;
  return !isDeclaration(parent) || (parent as { readonly name?: ts.Node }).name !== node;
}
