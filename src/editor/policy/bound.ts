import { ts } from "ts-morph";
import { declarationOf } from "./declaration.ts";

/** Whether the file declares the name itself: then it is no global. */
export function isBound(node: ts.Identifier): boolean {
  const { locals } = node.getSourceFile() as { readonly locals?: ReadonlyMap<string, unknown> };
  if (locals?.has(node.text) === true) return true;
  if (declarationOf(node) !== null) return true;
  for (let scope: ts.Node = node.parent; scope !== undefined; scope = scope.parent) {
    if (ts.isBlock(scope) || ts.isSourceFile(scope)) {
      if (scope.statements.some((statement) => isNamed(statement, node.text))) return true;
    }
  }
  return false;
}

function isNamed(statement: ts.Statement, name: string): boolean {
  const isNaming = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  return isNaming && statement.name?.text === name;
}
