import { ts } from "ts-morph";
import { atomsAt, atomsOf, freeNames } from "../atoms.ts";
import type { Change } from "../change.ts";
import { functionAround, isInLoop } from "../places.ts";
import type { Scene } from "../scene.ts";

/** What was made in the statement before is what a guard most often asks about. */
const JUST_MADE = 4;

const USUAL_RESULTS = ["null", "[]", '""', "0", "false", "true", "{}", "-1", "undefined"];

/** A guard before a statement: an early return, or in a loop the next turn. */
export function* guards(node: ts.Node, scene: Scene): Generator<Change> {
  if (!isGuardable(node)) return;
  const isFirst = node.parent.statements[0] === node;
  const isBody = functionAround(node)?.body === node.parent;
  const tests = testsBefore(node, scene);
  const results = [...new Set([...scene.returned.slice(0, 6), ...USUAL_RESULTS])];
  for (const { text, weight } of tests) {
    for (const [at, result] of results.entries()) {
      const likely =
        weight * (isFirst && isBody ? 1 : 0.3) * (at < scene.returned.length ? 1 : 0.5);
      yield before(node, `if (${text}) return ${result};`, likely, "guard");
    }
    if (isInLoop(node)) {
      yield before(node, `if (${text}) continue;`, weight, "guard");
      yield before(node, `if (${text}) break;`, weight * 0.6, "guard");
    }
  }
}

/** A statement that runs only under a condition. */
export function* preconditions(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isExpressionStatement(node) && !ts.isReturnStatement(node)) return;
  if (!ts.isBlock(node.parent) && !ts.isIterationStatement(node.parent, false)) return;
  const isLast = ts.isBlock(node.parent) && node.parent.statements.at(-1) === node;
  if (ts.isReturnStatement(node) && isLast) return;
  for (const { text, weight } of atomsAt(node, scene)) {
    yield before(node, `if (${text})`, weight, "precondition");
  }
}

function before(
  node: ts.Node,
  text: string,
  weight: number,
  operator: "guard" | "precondition",
): Change {
  const start = node.getStart();
  const splices = [{ op: "splice", start, end: start, text: `${text} ` }] as const;
  return { operator, at: node, weight, splices };
}

function isGuardable(node: ts.Node): node is ts.Statement & { parent: ts.Block } {
  if (!ts.isStatement(node) || !ts.isBlock(node.parent) || ts.isBlock(node)) return false;
  return !ts.isFunctionDeclaration(node) && functionAround(node) !== null;
}

/** Conditions over what a statement reads, or over the parameters at the start of a function. */
function testsBefore(
  node: ts.Statement & { parent: ts.Block },
  scene: Scene,
): { text: string; weight: number }[] {
  const visible = new Set(scene.names(node));
  const read = new Set(freeNames(node));
  const known = new Set(scene.conditions.map((condition) => condition.getText(scene.file)));
  const names = [...visible].filter((name) => read.has(name) && name !== "ctx").slice(0, 5);
  const fresh = madeBefore(node, scene);
  const usual = names.flatMap((name) =>
    atomsOf(name, scene.kindOfName(name)).map(({ text, weight }) => ({
      text,
      weight: weight * (name === fresh ? JUST_MADE : 1),
    })),
  );
  const borrowed = atomsAt(node, scene)
    .filter(({ text }) => known.has(text))
    .slice(0, 6);
  return [...borrowed, ...usual].map(({ text, weight }) => ({ text, weight }));
}

/** The name that the statement before declares. */
function madeBefore(node: ts.Statement & { parent: ts.Block }, scene: Scene): string | null {
  const before = node.parent.statements[node.parent.statements.indexOf(node) - 1];
  if (!before || !ts.isVariableStatement(before)) return null;
  return before.declarationList.declarations[0]?.name.getText(scene.file) ?? null;
}
