import { ts } from "ts-morph";
import type { SourceText } from "../../ports/editor.ts";
import { entryOf, type EntryNode } from "../entry.ts";
import { findingAt } from "../syntax.ts";
import type { Noted } from "./noted.ts";
import { saysWhy } from "./comments.ts";
import { type Reach, reachOf } from "./try-reach.ts";

/**
 * Errors that nobody hears of: a catch with nothing in it, a catch around all that a function did
 * before that neither looks at the error nor throws, a rejection that is caught by nothing. A catch
 * around one expression, around what throws as documented, or in a function of its own is left
 * alone: that is how a program asks whether a text is JSON. What lies between is left to a person.
 * `known` are the functions of the version before.
 */
export function swallowedErrors(
  file: ts.SourceFile,
  source: SourceText,
  known: ReadonlySet<string>,
): Noted[] {
  const entry = entryOf(file, source).entry?.node ?? null;
  const isWatched = (node: ts.Node): boolean =>
    node === entry || known.has(nameOf(node)) || isAllOf(entry, nameOf(node));
  const findings: Noted[] = [];
  const own = functionNames(file);
  const visit = (node: ts.Node): void => {
    const found = swallowing(node, { isWatched, own });
    if (found !== null) {
      const { what, ...severity } = found;
      findings.push({ ...findingAt(node, `swallowed-errors: ${what}`), ...severity });
    }
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
  const isHeld =
    parent !== undefined && (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent));
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

type Swallowing = { readonly what: string } & Pick<Noted, "severity">;

type Known = {
  readonly isWatched: (node: ts.Node) => boolean;
  /** Functions of the file. */
  readonly own: ReadonlySet<string>;
};

function swallowing(node: ts.Node, known: Known): Swallowing | null {
  if (ts.isCallExpression(node)) return muteCatch(node);
  if (!ts.isTryStatement(node)) return null;
  const { catchClause, finallyBlock } = node;
  if (catchClause === undefined) {
    return finallyBlock !== undefined && alwaysLeaves(finallyBlock)
      ? { what: "a finally that returns drops every error" }
      : null;
  }
  const isAll = isWhole(node) && known.isWatched(node.parent.parent);
  const reach = reachOf(node.tryBlock, known.own);
  if (catchClause.block.statements.length === 0) return emptyCatch(catchClause, reach, isAll);
  if (usesError(catchClause) || throws(catchClause.block) || !isAll) return null;
  const what = "a catch around the whole function hides every error";
  if (reach === "wide") return { what };
  const isDecided = reach === "documented" && decides(catchClause.block);
  return { what, severity: isDecided ? "pass" : "ask" };
}

/** One that says why it is empty, or around what throws as documented, may be meant. */
function emptyCatch({ block }: ts.CatchClause, reach: Reach, isAll: boolean): Swallowing {
  const what = "an empty catch";
  const isExplained = saysWhy(block);
  if (reach === "documented") return { what, severity: isExplained ? "pass" : "ask" };
  const isNarrow = reach === "near" || (!isAll && !throwsInTry(block));
  return isExplained && isNarrow ? { what, severity: "ask" } : { what };
}

function throwsInTry({ parent: { parent } }: ts.Block): boolean {
  return ts.isTryStatement(parent) && throws(parent.tryBlock);
}

/** `.catch(() => {})` */
function muteCatch({ expression, arguments: [handler] }: ts.CallExpression): Swallowing | null {
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== "catch") return null;
  if (handler === undefined) return null;
  if (!ts.isArrowFunction(handler) && !ts.isFunctionExpression(handler)) return null;
  const { body } = handler;
  if (!ts.isBlock(body) || body.statements.length > 0) return null;
  const what = "a rejection is caught by nothing";
  return saysWhy(body) ? { what, severity: "ask" } : { what };
}

/** Whether what comes after an error is decided: a result, another error, or a value to go on with. */
function decides({ statements }: ts.Block): boolean {
  const last = statements.at(-1);
  if (last === undefined) return false;
  if (ts.isReturnStatement(last) || ts.isThrowStatement(last)) return true;
  if (ts.isBreakOrContinueStatement(last)) return true;
  const isAssigned = ts.isExpressionStatement(last) && ts.isBinaryExpression(last.expression);
  return isAssigned && last.expression.operatorToken.kind === ts.SyntaxKind.EqualsToken;
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
