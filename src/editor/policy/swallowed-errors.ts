import { ts } from "ts-morph";
import type { Finding } from "../../ports/editor.ts";
import { findingAt } from "../syntax.ts";

/**
 * Errors that nobody hears of: a catch with nothing in it, a catch around a whole function that
 * neither looks at the error nor throws, a rejection that is caught by nothing. A catch around one
 * expression is left alone: that is how a program asks whether a text is JSON.
 */
export function swallowedErrors(file: ts.SourceFile): Finding[] {
  const findings: Finding[] = [];
  const visit = (node: ts.Node): void => {
    const message = swallowing(node);
    if (message !== null) findings.push(findingAt(node, `swallowed-errors: ${message}`));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return findings;
}

function swallowing(node: ts.Node): string | null {
  if (ts.isCallExpression(node)) return isMute(node) ? "a rejection is caught by nothing" : null;
  if (!ts.isTryStatement(node)) return null;
  const { catchClause } = node;
  if (catchClause === undefined) {
    const { finallyBlock } = node;
    return finallyBlock !== undefined && alwaysLeaves(finallyBlock)
      ? "a finally that returns drops every error"
      : null;
  }
  if (catchClause.block.statements.length === 0) return "an empty catch";
  const isHeard = usesError(catchClause) || throws(catchClause.block);
  return !isHeard && isWhole(node) ? "a catch around the whole function hides every error" : null;
}

/** `.catch(() => {})` */
function isMute({ expression, arguments: [handler] }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== "catch") return false;
  if (handler === undefined) return false;
  if (!ts.isArrowFunction(handler) && !ts.isFunctionExpression(handler)) return false;
  return ts.isBlock(handler.body) && handler.body.statements.length === 0;
}

function alwaysLeaves({ statements }: ts.Block): boolean {
  return statements.some((statement) => ts.isReturnStatement(statement));
}

function usesError({ variableDeclaration, block }: ts.CatchClause): boolean {
  if (variableDeclaration === undefined) return false;
  const { name } = variableDeclaration;
  if (!ts.isIdentifier(name)) return true;
  const isUsed = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && node.text === name.text) ||
    ts.forEachChild(node, (child) => isUsed(child) || undefined) === true;
  return isUsed(block);
}

function throws(node: ts.Node): boolean {
  if (ts.isThrowStatement(node)) return true;
  if (ts.isFunctionLike(node)) return false;
  return ts.forEachChild(node, (child) => throws(child) || undefined) === true;
}

/** Whether a try takes in all that its function does, and that is more than one step. */
function isWhole(node: ts.TryStatement): boolean {
  const body = node.parent;
  if (!ts.isBlock(body) || !ts.isFunctionLike(body.parent)) return false;
  const others = body.statements.filter(
    (statement) => statement !== node && !ts.isVariableStatement(statement),
  );
  return node.tryBlock.statements.length > 1 && others.every(ts.isReturnStatement);
}
