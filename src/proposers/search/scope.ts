import { ts } from "ts-morph";

/**
 * Names that may be read at a node: parameters, variables declared before it, functions and
 * classes anywhere in an enclosing block. The nearest declaration first, each name once.
 */
export function visibleNames(node: ts.Node): readonly string[] {
  const names = new Set<string>();
  for (let at: ts.Node = node; at.parent; at = at.parent) {
    for (const name of declaredAround(at, node)) names.add(name);
  }
  return [...names];
}

/** Names that the parent of `at` declares for `at`, the latest first. */
function declaredAround(at: ts.Node, node: ts.Node): string[] {
  const { parent } = at;
  if (ts.isFunctionLike(parent)) return parent.parameters.flatMap(({ name }) => bound(name));
  if (ts.isCatchClause(parent) && at === parent.block) {
    return parent.variableDeclaration ? bound(parent.variableDeclaration.name) : [];
  }
  if (ts.isForStatement(parent) || ts.isForOfStatement(parent) || ts.isForInStatement(parent)) {
    const { initializer } = parent;
    if (!initializer || !ts.isVariableDeclarationList(initializer)) return [];
    return listed(initializer, node).toReversed();
  }
  if (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent)) {
    return parent.statements.flatMap((statement) => declaredBy(statement, node)).toReversed();
  }
  return [];
}

function declaredBy(statement: ts.Statement, node: ts.Node): string[] {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
    return statement.name ? [statement.name.text] : [];
  }
  return ts.isVariableStatement(statement) ? listed(statement.declarationList, node) : [];
}

/** Only what is initialised before the node runs: not the declaration that the node stands in. */
function listed(list: ts.VariableDeclarationList, node: ts.Node): string[] {
  return list.declarations
    .filter((declaration) => declaration.end <= node.pos || isFunctionAround(declaration, node))
    .flatMap(({ name }) => bound(name));
}

/** A function may name itself. */
function isFunctionAround(declaration: ts.VariableDeclaration, node: ts.Node): boolean {
  const { initializer } = declaration;
  if (!initializer || !ts.isFunctionLike(initializer)) return false;
  return initializer.pos <= node.pos && node.end <= initializer.end;
}

function bound(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? bound(element.name) : [],
  );
}
