import { ts } from "ts-morph";

/** Whether a list of statements declares names that live in its block alone. */
export function declaresInBlock(statements: readonly ts.Statement[]): boolean {
  return statements.some(
    (statement) =>
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      (ts.isVariableStatement(statement) &&
        (statement.declarationList.flags & ts.NodeFlags.BlockScoped) !== 0),
  );
}

/** The names that statements declare for the function around them, as one text; empty if none. */
export function hoistedNames(nodes: readonly ts.Node[], file: { readonly text: string }): string {
  const names = new Set<string>();
  const visit = (node: ts.Node, isTop: boolean): void => {
    if (ts.isFunctionDeclaration(node) && !isTop) names.add(node.name?.text ?? "");
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    const isVar =
      ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.BlockScoped) === 0;
    if (isVar) {
      for (const { name } of node.declarations)
        names.add(file.text.slice(name.pos, name.end).trim());
    }
    ts.forEachChild(node, (child) => visit(child, false));
  };
  for (const node of nodes) visit(node, true);
  return [...names].toSorted().join(" ");
}
