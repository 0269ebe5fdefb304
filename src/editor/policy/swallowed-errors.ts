import { ts } from "ts-morph";
import type { Finding, SourceText } from "../../ports/editor.ts";
import { entryOf, type EntryNode } from "../entry.ts";
import { findingAt } from "../syntax.ts";

/**
 * Errors that nobody hears of: a catch with nothing in it, a catch around all that a function did
 * before that neither looks at the error nor throws, a rejection that is caught by nothing. A catch
 * around one expression, or in a function of its own, is left alone: that is how a program asks
 * whether a text is JSON. `known` are the functions of the version before.
 */
export function swallowedErrors(
  file: ts.SourceFile,
  source: SourceText,
  known: ReadonlySet<string>,
): Finding[] {
  const entry = entryOf(file, source).entry?.node ?? null;
  const isWatched = (node: ts.Node): boolean =>
    node === entry || known.has(nameOf(node)) || isAllOf(entry, nameOf(node));
  const findings: Finding[] = [];
  const visit = (node: ts.Node): void => {
    const message = swallowing(node, isWatched);
    if (message !== null) findings.push(findingAt(node, `swallowed-errors: ${message}`));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return findings;
}

/** The names of all functions of a file. */
export function functionNames(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) names.add(nameOf(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  names.delete("");
  return names;
}

/** The name by which a function is called; empty for one without. */
function nameOf(node: ts.Node): string {
  const { name } = node as { readonly name?: ts.Node };
  if (name !== undefined) return name.getText();
  const { parent } = node;
  const isHeld = parent !== undefined && ts.isVariableDeclaration(parent);
  return isHeld ? parent.name.getText() : "";
}

/** Whether the skill's function does nothing but call the named one. */
function isAllOf(entry: EntryNode | null, name: string): boolean {
  if (entry === null || entry.body === undefined || name === "") return false;
  const { body } = entry;
  const only = ts.isBlock(body) ? body.statements.at(-1) : body;
  if (ts.isBlock(body) && body.statements.length !== 1) return false;
  const result = only !== undefined && ts.isReturnStatement(only) ? only.expression : only;
  const call = result !== undefined && ts.isAwaitExpression(result) ? result.expression : result;
  return call !== undefined && ts.isCallExpression(call) && call.expression.getText() === name;
}

function swallowing(node: ts.Node, isWatched: (node: ts.Node) => boolean): string | null {
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
  return !isHeard && isWhole(node) && isWatched(node.parent.parent)
    ? "a catch around the whole function hides every error"
    : null;
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
