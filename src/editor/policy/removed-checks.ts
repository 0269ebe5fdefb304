import { ts } from "ts-morph";
import type { Finding } from "../../ports/editor.ts";
import { findingAt, normalText, tokensOf } from "../syntax.ts";

/** A `throw`, with the condition under which it is reached, if one is near. */
type Check = { readonly node: ts.ThrowStatement; readonly guard: ts.Node };

/**
 * Checks that a patch takes away: a throw is gone, fewer throws are left, and what guarded it (or,
 * without a guard, what it threw) occurs nowhere any more.
 */
export function removedChecks(before: ts.SourceFile, after: ts.SourceFile): Finding[] {
  const [was, is] = [checksOf(before), checksOf(after)];
  if (is.length >= was.length) return [];
  const code = normalText(after, tokensOf(after));
  return was
    .filter(({ guard }) => !code.includes(codeOf(guard)))
    .map(({ node, guard }) => ({
      ...findingAt(node, `a check was removed: ${clip(codeOf(guard))}`),
      line: 1,
    }));
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
