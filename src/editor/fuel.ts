import { ts } from "ts-morph";
import type { Placed } from "./wrapping.ts";

/** Burns one unit; `__hone_spent` throws once there is none left. See `variants.ts`. */
const BURN = "--__hone_fuel<0&&__hone_spent()";

/**
 * What to put into a tree so that every turn of a loop and every entry into a function burns fuel:
 * whatever the code does then ends, however it catches errors, since the next turn throws again.
 */
export function fuelFor(root: ts.Node, file: ts.SourceFile): Placed[] {
  const placed: Placed[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIterationStatement(node, false)) placed.push(inStatement(node.statement, file));
    const body =
      ts.isFunctionLike(node) && "body" in node ? (node.body as ts.Node | undefined) : undefined;
    if (body !== undefined) {
      placed.push(ts.isBlock(body) ? inBlock(body, file) : inResult(body, file));
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return placed;
}

function inStatement(body: ts.Statement, file: ts.SourceFile): Placed {
  if (ts.isBlock(body)) return inBlock(body, file);
  const start = body.getStart(file);
  return { start, end: body.end, rank: -1, open: `{${BURN};`, close: "}" };
}

/** Behind the directives, which must stay first. */
function inBlock(block: ts.Block, file: ts.SourceFile): Placed {
  const directives = directivesOf(block.statements);
  const at = directives.at(-1)?.end ?? block.getStart(file) + 1;
  const ends = directives.length > 0 ? ";" : "";
  return { start: at, end: at, rank: -1, open: `${ends}${BURN};`, close: "" };
}

function inResult(body: ts.Node, file: ts.SourceFile): Placed {
  const start = body.getStart(file);
  return { start, end: body.end, rank: -1, open: `(${BURN},`, close: ")" };
}

/** The texts that open a list of statements, such as `"use strict"`. */
export function directivesOf(statements: readonly ts.Statement[]): readonly ts.Statement[] {
  const first = statements.findIndex(
    (statement) =>
      !ts.isExpressionStatement(statement) || !ts.isStringLiteral(statement.expression),
  );
  return statements.slice(0, first < 0 ? statements.length : first);
}
