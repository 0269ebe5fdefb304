import { ts } from "ts-morph";
import { atEndOf, removing, replacing, type Change } from "../change.ts";
import { functionAround, isInLoop } from "../places.ts";
import type { Scene } from "../scene.ts";

const RESULTS = ["true", "false", "null", "[]", '""', "0", "-1", "{}"];

/** `break`, `continue` and `return` exchanged for one another, or added at the end of a branch. */
export function* jumps(node: ts.Node, scene: Scene): Generator<Change> {
  if (ts.isBreakStatement(node) && !node.label && isInLoop(node)) {
    yield replacing("jump", node, "continue;");
    for (const text of ["return;", ...returnsOf(scene)]) yield replacing("jump", node, text, 0.4);
  }
  if (ts.isContinueStatement(node) && !node.label) {
    yield replacing("jump", node, "break;");
    for (const text of returnsOf(scene)) yield replacing("jump", node, text, 0.4);
  }
  if (ts.isReturnStatement(node) && isInLoop(node)) {
    yield replacing("jump", node, "continue;", 0.6);
    yield replacing("jump", node, "break;", 0.6);
  }
  if (isBranch(node)) yield* jumpAtEnd(node, scene);
  if (ts.isCaseOrDefaultClause(node)) yield* breakAtEnd(node);
}

/** A case that falls through into the next one, which is seldom meant. */
function* breakAtEnd(clause: ts.CaseOrDefaultClause): Generator<Change> {
  const last = clause.statements.at(-1);
  const isLast = clause.parent.clauses.at(-1) === clause;
  if (!last || isLast || ts.isBreakOrContinueStatement(last)) return;
  if (ts.isReturnStatement(last) || ts.isThrowStatement(last)) return;
  const splice = { op: "splice", start: last.end, end: last.end, text: " break;" } as const;
  const ends = last.getText().endsWith(";") || ts.isBlock(last);
  const splices = [ends ? splice : { ...splice, text: "; break;" }];
  yield { operator: "jump", at: last, splices, weight: 2 };
}

/** `else` added before a following `if`, or dropped; a branch that runs always, or never. */
export function* branches(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isIfStatement(node)) return;
  const { thenStatement, elseStatement } = node;
  const next = nextOf(node);
  if (!elseStatement && next && ts.isIfStatement(next)) {
    yield insertion(node, next.getStart(), "else ");
  }
  if (!elseStatement && next && ts.isExpressionStatement(next)) {
    yield insertion(node, next.getStart(), "else ");
  }
  if (elseStatement) {
    const keyword = scene.file.text.lastIndexOf("else", elseStatement.getStart());
    if (ts.isIfStatement(elseStatement)) {
      yield removing("branch", node, [keyword, elseStatement.getStart()]);
    } else {
      yield removing("branch", node, [thenStatement.end, elseStatement.end], 0.5);
    }
  }
  yield removing(
    "branch",
    node,
    [node.getStart(), thenStatement.getStart()],
    elseStatement ? 0 : 0.5,
  );
}

/** Another usual result in the place of what is returned. */
export function* results(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isReturnStatement(node) || !node.expression) return;
  const own = node.expression.getText(scene.file);
  const known = scene.returned.slice(0, 8);
  for (const text of new Set([...known, ...RESULTS])) {
    if (text !== own)
      yield replacing("return-value", node.expression, text, known.includes(text) ? 1 : 0.4);
  }
}

function returnsOf(scene: Scene): string[] {
  return scene.returned.slice(0, 4).map((text) => `return ${text};`);
}

function* jumpAtEnd(block: ts.Block, scene: Scene): Generator<Change> {
  const last = block.statements.at(-1);
  if (!last || ts.isReturnStatement(last) || ts.isBreakStatement(last)) return;
  const inLoop = isInLoop(block);
  const texts = [...(inLoop ? ["break;", "continue;"] : []), ...returnsOf(scene)];
  for (const text of functionAround(block) ? texts : []) {
    yield { operator: "jump", at: block, splices: [atEndOf(block, text)], weight: 0.6 };
  }
}

function insertion(at: ts.Node, position: number, text: string): Change {
  const splices = [{ op: "splice", start: position, end: position, text }] as const;
  return { operator: "branch", at, weight: 1, splices };
}

function isBranch(node: ts.Node): node is ts.Block {
  return ts.isBlock(node) && ts.isIfStatement(node.parent);
}

function nextOf(node: ts.Statement): ts.Statement | undefined {
  if (!("statements" in node.parent)) return undefined;
  const { statements } = node.parent as ts.Block;
  return statements[statements.indexOf(node) + 1];
}
