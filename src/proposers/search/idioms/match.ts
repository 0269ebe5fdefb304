import { ts } from "ts-morph";

/** What stands for each hole of a pattern, by its name. */
export type Bindings = ReadonlyMap<string, ts.Node>;

/**
 * Matches a node with a pattern, a piece of code in which `$name` is any expression or name, and the
 * statement `$$name;` any statement; what occurs twice must be the same text. Null where it does not
 * match. Semantic patches, after Coccinelle (Padioleau et al., EuroSys 2008), on the tree alone.
 */
export function match(pattern: ts.Node, node: ts.Node, file: ts.SourceFile): Bindings | null {
  const bindings = new Map<string, ts.Node>();
  return matches(pattern, node, { bindings, file }) ? bindings : null;
}

type Means = { readonly bindings: Map<string, ts.Node>; readonly file: ts.SourceFile };

function matches(pattern: ts.Node, node: ts.Node, means: Means): boolean {
  const hole = holeOf(pattern, node);
  if (hole !== null) return binds(hole, node, means);
  if (pattern.kind !== node.kind || tokenText(pattern) !== tokenText(node)) return false;
  const [wanted, given] = [childrenOf(pattern), childrenOf(node)];
  return (
    wanted.length === given.length &&
    wanted.every((child, at) => matches(child, given[at] as ts.Node, means))
  );
}

/** The name of the hole that a part of a pattern is, where the node can stand for it. */
function holeOf(pattern: ts.Node, node: ts.Node): string | null {
  if (ts.isExpressionStatement(pattern) && ts.isIdentifier(pattern.expression)) {
    const { text } = pattern.expression;
    return text.startsWith("$$") && ts.isStatement(node) ? text : null;
  }
  if (!ts.isIdentifier(pattern) || !/^\$\w/.test(pattern.text)) return null;
  const isPart = ts.isExpression(node) && !ts.isSpreadElement(node);
  return isPart ? pattern.text : null;
}

function binds(hole: string, node: ts.Node, { bindings, file }: Means): boolean {
  const bound = bindings.get(hole);
  if (bound === undefined) bindings.set(hole, node);
  return bound === undefined || bound.getText(file) === node.getText(file);
}

function childrenOf(node: ts.Node): readonly ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  return children;
}

/** What tells two nodes of one kind apart, other than their children. */
function tokenText(node: ts.Node): string {
  if (ts.isIdentifier(node) || ts.isLiteralExpression(node)) return node.text;
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    return String(node.operator);
  }
  return "";
}
