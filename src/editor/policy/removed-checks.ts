import { ts } from "ts-morph";
import type { Finding, PolicyFinding, Shown } from "../../ports/editor.ts";
import { findingAt, lineOf, normalText, tokensOf } from "../syntax.ts";
import { asking } from "./noted.ts";
import { throwsSo } from "./thrown-text.ts";

/** A `throw`, with the condition under which it is reached, if one is near. */
type Check = { readonly node: ts.ThrowStatement; readonly guard: ts.Node };

/**
 * Checks that a patch takes away: a throw is gone, fewer throws are left, and what guarded it (or,
 * without a guard, what it threw) occurs nowhere any more. A check by which a visible case fails may
 * be the fault itself: whether it is, a person decides.
 */
export function removedChecks(
  before: ts.SourceFile,
  after: ts.SourceFile,
  thrown: Shown["thrown"],
): PolicyFinding[] {
  const [was, is] = [checksOf(before), checksOf(after)];
  const weighed = ({ node }: Check, found: Finding): PolicyFinding =>
    thrown.some((error) => throwsSo(node, error)) ? asking(found) : found;
  const dead = is.filter(({ node }) => isDead(node));
  const idle = was.filter(({ node }) => isDead(node)).length;
  if (dead.length > idle) return dead.slice(idle).map((check) => weighed(check, disabled(check)));
  if (is.length >= was.length) return [];
  const code = normalText(after, tokensOf(after));
  return was
    .filter(({ guard }) => !code.includes(codeOf(guard)))
    .map((check) => {
      const found = removed(check, before);
      // What is thrown still is: two checks may have become one, in other words.
      return code.includes(codeOf(check.node)) ? asking(found) : weighed(check, found);
    });
}

function removed({ node, guard }: Check, before: ts.SourceFile): Finding {
  const line = lineOf(before, node.getStart(before));
  const message = `deleted-check: a check was removed: ${clip(codeOf(guard))} (line ${line} before)`;
  return { line: 1, message };
}

function disabled({ node, guard }: Check): Finding {
  return findingAt(node, `deleted-check: a check can never fail now: ${clip(codeOf(guard))}`);
}

function checksOf(file: ts.SourceFile): Check[] {
  const checks: Check[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isThrowStatement(node)) checks.push({ node, guard: guardOf(node) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return checks;
}

/**
 * Whether a condition around a throw is never true: by a literal in it, or because whatever meets
 * the same condition has returned before.
 */
function isDead(node: ts.ThrowStatement): boolean {
  for (
    let inner: ts.Node = node;
    inner.parent !== undefined && !ts.isFunctionLike(inner);
    inner = inner.parent
  ) {
    const { parent } = inner;
    if (!ts.isIfStatement(parent) || parent.thenStatement !== inner) continue;
    if (isNever(parent.expression) || isMetBefore(parent)) return true;
  }
  return false;
}

/** Whether the statement before, in the same block, returns under the same condition. */
function isMetBefore(node: ts.IfStatement): boolean {
  if (!ts.isBlock(node.parent)) return false;
  const { statements } = node.parent;
  const before = statements[statements.indexOf(node) - 1];
  if (before === undefined || !ts.isIfStatement(before)) return false;
  if (before.expression.getText() !== node.expression.getText()) return false;
  const { thenStatement } = before;
  const last = ts.isBlock(thenStatement) ? thenStatement.statements.at(-1) : thenStatement;
  return last !== undefined && ts.isReturnStatement(last);
}

function isNever(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isNever(node.expression);
  if (ts.isBinaryExpression(node)) {
    const isAnd = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
    return isAnd && (isNever(node.left) || isNever(node.right));
  }
  const isZero = ts.isNumericLiteral(node) && Number(node.text) === 0;
  return node.kind === ts.SyntaxKind.FalseKeyword || isZero;
}

function guardOf(node: ts.ThrowStatement): ts.Node {
  let inner: ts.Node = node;
  for (
    let outer = node.parent;
    !ts.isFunctionLike(outer) && outer !== undefined;
    outer = outer.parent
  ) {
    if (ts.isIfStatement(outer) && inner !== outer.expression) return outer.expression;
    if (ts.isCatchClause(outer)) break;
    inner = outer;
  }
  return node.expression;
}

function codeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  const [start, end] = [node.getStart(file), node.end];
  return normalText(
    file,
    tokensOf(file).filter((token) => token.start >= start && token.end <= end),
  );
}

function clip(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
