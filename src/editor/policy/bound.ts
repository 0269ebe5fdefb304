import { ts } from "ts-morph";

/** Whether the file declares the name itself: then it is no global. */
export function isBound(node: ts.Identifier): boolean {
  const { locals } = node.getSourceFile() as { readonly locals?: ReadonlyMap<string, unknown> };
  if (locals?.has(node.text) === true) return true;
  for (let scope: ts.Node = node.parent; scope !== undefined; scope = scope.parent) {
    if (
      ts.isFunctionLike(scope) &&
      scope.parameters.some(({ name }) => declares(name, node.text))
    ) {
      return true;
    }
    if (ts.isBlock(scope) || ts.isSourceFile(scope)) {
      if (scope.statements.some((statement) => declaresIn(statement, node.text))) return true;
    }
  }
  return false;
}

function declaresIn(statement: ts.Statement, name: string): boolean {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
    return statement.name?.text === name;
  }
  return (
    ts.isVariableStatement(statement) &&
    statement.declarationList.declarations.some((declared) => declares(declared.name, name))
  );
}

function declares(bound: ts.BindingName, name: string): boolean {
  if (ts.isIdentifier(bound)) return bound.text === name;
  return bound.elements.some(
    (element) => ts.isBindingElement(element) && declares(element.name, name),
  );
}
