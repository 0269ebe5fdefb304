import { ts } from "ts-morph";
import { asStatement, atEndOf, exchanging, removing, type Change, type Splice } from "../change.ts";
import type { Scene } from "../scene.ts";

/** A statement dropped, exchanged with the next, or moved into or out of a block beside it. */
export function* statements(node: ts.Node, scene: Scene): Generator<Change> {
  if (!isMovable(node)) return;
  const siblings = siblingsOf(node);
  const at = siblings.indexOf(node);
  const next = siblings[at + 1];
  if (!ts.isVariableStatement(node)) {
    yield removing("delete-statement", node, [node.getStart(), node.end]);
  }
  if (next && isMovable(next)) yield* exchanged(node, next, scene);
  if (next) yield* movedInto(node, next, scene);
  yield* movedOut(node, scene);
}

function* exchanged(node: ts.Statement, next: ts.Statement, scene: Scene): Generator<Change> {
  const [first, second] = [scene.copyOf(node), scene.copyOf(next)];
  if (first === null || second === null || first === second) return;
  yield exchanging("swap-statements", [node, next], [second, first]);
}

/** Before a block to its start, and after it to its end. */
function* movedInto(node: ts.Statement, next: ts.Statement, scene: Scene): Generator<Change> {
  const own = scene.copyOf(node);
  const into = blockOf(next);
  if (own !== null && into && !ts.isVariableStatement(node)) {
    yield moved(node, insertion(into.getStart() + 1, ` ${asStatement(own)}`));
  }
  const other = scene.copyOf(next);
  const from = blockOf(node);
  if (other !== null && from && isMovable(next) && !ts.isReturnStatement(next)) {
    yield moved(next, atEndOf(from, other));
  }
}

/** The last statement of a block to behind it, the first to before it. */
function* movedOut(node: ts.Statement, scene: Scene): Generator<Change> {
  const block = node.parent;
  if (!ts.isBlock(block) || !ts.isStatement(block.parent) || ts.isFunctionLike(block.parent))
    return;
  const own = scene.copyOf(node);
  const outer = block.parent;
  if (own === null || !("statements" in outer.parent)) return;
  if (block.statements.at(-1) === node)
    yield moved(node, insertion(outer.end, ` ${asStatement(own)}`));
  if (block.statements[0] === node) {
    yield moved(node, insertion(outer.getStart(), `${asStatement(own)} `), 0.6);
  }
}

function moved(node: ts.Statement, paste: Splice, weight = 1): Change {
  const cut: Splice = { op: "splice", start: node.getStart(), end: node.end, text: "" };
  const splices = paste.start < cut.start ? [paste, cut] : [cut, paste];
  return { operator: "move-statement", at: node, weight, splices };
}

function insertion(at: number, text: string): Splice {
  return { op: "splice", start: at, end: at, text };
}

function isMovable(node: ts.Node): node is ts.Statement {
  if (!ts.isStatement(node) || ts.isBlock(node) || !("statements" in node.parent)) return false;
  return (
    ts.isExpressionStatement(node) ||
    ts.isIfStatement(node) ||
    ts.isReturnStatement(node) ||
    ts.isVariableStatement(node) ||
    ts.isIterationStatement(node, false) ||
    ts.isBreakStatement(node) ||
    ts.isContinueStatement(node) ||
    ts.isThrowStatement(node)
  );
}

function siblingsOf(node: ts.Statement): readonly ts.Statement[] {
  return (node.parent as ts.Node & { statements: ts.NodeArray<ts.Statement> }).statements;
}

function blockOf(node: ts.Statement): ts.Block | null {
  if (ts.isIfStatement(node)) return ts.isBlock(node.thenStatement) ? node.thenStatement : null;
  if (!ts.isIterationStatement(node, false)) return null;
  return ts.isBlock(node.statement) ? node.statement : null;
}
