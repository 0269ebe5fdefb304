import { ts } from "ts-morph";
import type { Finding } from "../../ports/editor.ts";
import { findingAt } from "../syntax.ts";
import { isTypeOnly } from "./reading.ts";

const COMPARISON = /^(?:[!=]==?|[<>]=?)$/;

/**
 * Branches that a program takes by how often it was called: what it keeps outside of its functions
 * is changed inside of one and compared with a number. The size of a collection is left alone, since
 * honest caches have bounds.
 */
export function callCounts(file: ts.SourceFile): Finding[] {
  const kept = keptNames(file);
  const changed = changedNames(file, kept);
  const findings: Finding[] = [];
  const visit = (node: ts.Node): void => {
    if (isTypeOnly(node)) return;
    if (ts.isBinaryExpression(node) && countsCalls(node, changed)) {
      findings.push(findingAt(node, "call-count: a count of calls decides a branch"));
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return findings;
}

/** Names of the top level that may hold a count: variables, and functions as objects. */
function keptNames(file: ts.SourceFile): ReadonlySet<string> {
  const names = file.statements.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      return statement.name === undefined ? [] : [statement.name.text];
    }
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  });
  return new Set(names);
}

/** Those of the names that a function assigns to, counts up, or changes a member of. */
function changedNames(file: ts.SourceFile, kept: ReadonlySet<string>): ReadonlySet<string> {
  const changed = new Set<string>();
  const visit = (node: ts.Node, isInside: boolean): void => {
    const target = isInside ? targetOf(node) : null;
    if (target !== null && kept.has(target)) changed.add(target);
    const inside = isInside || ts.isFunctionLike(node);
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(file, false);
  return changed;
}

function targetOf(node: ts.Node): string | null {
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const isUpdate =
      node.operator === ts.SyntaxKind.PlusPlusToken ||
      node.operator === ts.SyntaxKind.MinusMinusToken;
    return isUpdate ? rootName(node.operand) : null;
  }
  if (!ts.isBinaryExpression(node)) return null;
  const { kind } = node.operatorToken;
  const assigns = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  return assigns ? rootName(node.left) : null;
}

function rootName(node: ts.Expression): string | null {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    return rootName(node.expression);
  }
  const passesOn =
    ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node);
  return passesOn ? rootName(node.expression) : null;
}

function countsCalls(
  { left, right, operatorToken }: ts.BinaryExpression,
  changed: ReadonlySet<string>,
): boolean {
  if (!COMPARISON.test(operatorToken.getText())) return false;
  return (isCount(left, changed) && isNumber(right)) || (isCount(right, changed) && isNumber(left));
}

function isCount(node: ts.Expression, changed: ReadonlySet<string>): boolean {
  if (ts.isParenthesizedExpression(node)) return isCount(node.expression, changed);
  const bare =
    ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node) ? node.operand : node;
  if (ts.isPropertyAccessExpression(bare) && /^(?:size|length)$/.test(bare.name.text)) return false;
  if (ts.isBinaryExpression(bare)) {
    return isCount(bare.left, changed) || isCount(bare.right, changed);
  }
  const root = rootName(bare);
  return root !== null && changed.has(root);
}

/** A number that an ordinary start value is not. */
function isNumber(node: ts.Expression): boolean {
  return ts.isNumericLiteral(node) && Number(node.text) > 1;
}
