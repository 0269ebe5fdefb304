import { ts } from "ts-morph";

/** What declares a name where a value may come from. */
export type Declared = ts.VariableDeclaration | ts.ParameterDeclaration | ts.BindingElement;

/**
 * What a name stands for where it is read: the nearest variable, parameter or part of a pattern of
 * that name around it. Null for globals, functions, and a `var` of an inner block.
 */
export function declarationOf(node: ts.Identifier): Declared | null {
  for (let scope: ts.Node = node.parent; scope !== undefined; scope = scope.parent) {
    for (const declared of declaredIn(scope)) {
      const found = named(declared, node.text);
      if (found !== null) return found;
    }
  }
  return null;
}

function declaredIn(scope: ts.Node): readonly Declared[] {
  if (ts.isFunctionLike(scope)) {
    return scope.parameters.filter((parameter) => ts.isParameter(parameter));
  }
  if (ts.isForStatement(scope) || ts.isForOfStatement(scope) || ts.isForInStatement(scope)) {
    const { initializer } = scope;
    const isList = initializer !== undefined && ts.isVariableDeclarationList(initializer);
    return isList ? initializer.declarations : [];
  }
  if (ts.isCatchClause(scope)) {
    return scope.variableDeclaration === undefined ? [] : [scope.variableDeclaration];
  }
  const isList = ts.isBlock(scope) || ts.isSourceFile(scope) || ts.isCaseOrDefaultClause(scope);
  if (!isList) return [];
  return scope.statements.flatMap((statement) =>
    ts.isVariableStatement(statement) ? statement.declarationList.declarations : [],
  );
}

function named(declared: Declared, text: string): Declared | null {
  const { name } = declared;
  if (ts.isIdentifier(name)) return name.text === text ? declared : null;
  for (const element of name.elements) {
    const found = ts.isBindingElement(element) ? named(element, text) : null;
    if (found !== null) return found;
  }
  return null;
}
