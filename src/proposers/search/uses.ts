import { ts } from "ts-morph";
import type { Splice } from "./change.ts";
import { isAssignmentToken } from "./tokens.ts";
import { walk } from "./walk.ts";

/** How much likelier a change is that reads what nothing read: it was declared for something. */
const FIRST_USE = 3;

/** How much less likely one is after which nothing reads what was read. */
const LAST_USE = 0.3;

/** Where the variables and parameters of a file are read, by name. */
export type Uses = ReadonlyMap<string, readonly number[]>;

/** Reads of each declared name, as offsets; none for one that is only declared or assigned to. */
export function usesOf(file: ts.SourceFile): Uses {
  const uses = new Map<string, number[]>();
  walk(file, (node) => {
    if (isDeclaration(node) && ts.isIdentifier(node.name)) uses.set(node.name.text, []);
    if (ts.isBindingElement(node) && ts.isIdentifier(node.name)) uses.set(node.name.text, []);
  });
  walk(file, (node) => {
    if (ts.isIdentifier(node) && isRead(node)) uses.get(node.text)?.push(node.getStart(file));
  });
  return uses;
}

/**
 * The factor for what a change does to the use of names. A variable that is written and never read
 * is a sign of a fault (Xie and Engler, "Using redundancies to find errors", TSE 2003), and so is a
 * repair that makes one.
 */
export function usageFactor(splices: readonly Splice[], uses: Uses): number {
  const added = new Map<string, number>();
  for (const { text } of splices) {
    for (const [name] of text.matchAll(/(?<![\w$.])[A-Za-z_$][\w$]*/g)) {
      added.set(name, (added.get(name) ?? 0) + 1);
    }
  }
  let factor = 1;
  for (const [name, reads] of uses) {
    const removed = reads.filter((at) => splices.some((one) => one.start <= at && at < one.end));
    const after = reads.length - removed.length + (added.get(name) ?? 0);
    if (reads.length === 0 && after > 0) factor *= FIRST_USE;
    if (reads.length > 0 && after === 0) factor *= LAST_USE;
  }
  return factor;
}

function isDeclaration(node: ts.Node): node is ts.VariableDeclaration | ts.ParameterDeclaration {
  return ts.isVariableDeclaration(node) || ts.isParameter(node);
}

/** Whether an identifier reads a variable: it is no member, no declared name, no target. */
function isRead(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isBinaryExpression(parent) && isAssignmentToken(parent.operatorToken.kind)) {
    return parent.left !== node;
  }
  if (ts.isPostfixUnaryExpression(parent)) return !ts.isExpressionStatement(parent.parent);
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return !("name" in parent && parent.name === node) || ts.isShorthandPropertyAssignment(parent);
}
