import { ts } from "ts-morph";
import { nodesOf } from "./drift-scene.ts";

/** `const res = await ctx.fetch(url, …)` as a statement of its own. */
export type FetchStatement = {
  readonly statement: ts.VariableStatement;
  readonly list: ts.VariableDeclarationList;
  /** The name that the answer is given. */
  readonly name: string;
  readonly call: ts.CallExpression;
};

/** Statements of a file that wait for one fetch and give its answer a name. */
export function fetchStatements(file: ts.SourceFile): readonly FetchStatement[] {
  return nodesOf(file).flatMap((node) => {
    if (!ts.isVariableStatement(node) || node.declarationList.declarations.length !== 1) return [];
    const [declaration] = node.declarationList.declarations;
    if (!declaration?.initializer || !ts.isIdentifier(declaration.name)) return [];
    const call = awaitedCall(declaration.initializer, /(?:^|\.)fetch$/);
    if (!call) return [];
    return [{ statement: node, list: node.declarationList, name: declaration.name.text, call }];
  });
}

/** The call of `await f(…)`, if what it calls reads like the pattern. */
export function awaitedCall(node: ts.Node, callee: RegExp): ts.CallExpression | null {
  if (!ts.isAwaitExpression(node) || !ts.isCallExpression(node.expression)) return null;
  return callee.test(node.expression.expression.getText()) ? node.expression : null;
}

/** The blanks at the start of the line on which a node begins. */
export function indentOf(node: ts.Node): string {
  const { text } = node.getSourceFile();
  const line = text.lastIndexOf("\n", node.getStart() - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line))?.[0] ?? "";
}

/** How the file ends its lines. */
export function lineEndOf(file: ts.SourceFile): string {
  return file.text.includes("\r\n") ? "\r\n" : "\n";
}
