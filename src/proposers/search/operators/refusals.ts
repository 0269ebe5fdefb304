import { ts } from "ts-morph";
import { atomsAt } from "../atoms.ts";
import { atEndOf, replacing, type Change, type Splice } from "../change.ts";
import { functionAround } from "../places.ts";
import type { Scene } from "../scene.ts";

/** Conditions that are tried at one place, and messages, at most. */
const MOST_CONDITIONS = 160;
const MOST_MESSAGES = 2;

/**
 * An error that the cases want and the code does not raise: thrown where a condition holds, or in
 * the place of a result. Its message is part of what callers were promised, so the cases may say it.
 */
export function* refusals(node: ts.Node, scene: Scene): Generator<Change> {
  const messages = scene.wantedErrors.slice(0, MOST_MESSAGES);
  if (messages.length === 0 || functionAround(node) === null) return;
  const thrown = messages.map((message) => `throw new Error(${JSON.stringify(message)});`);
  if (ts.isReturnStatement(node)) {
    for (const text of thrown) yield replacing("refusal", node, text, 1);
  }
  if (ts.isBlock(node)) yield* atTheEnd(node, thrown, scene);
  if (!ts.isStatement(node) || !ts.isBlock(node.parent) || ts.isFunctionDeclaration(node)) return;
  const start = node.getStart();
  for (const { text, weight } of atomsAt(node, scene).slice(0, MOST_CONDITIONS)) {
    for (const error of thrown) {
      const splices: Splice[] = [
        { op: "splice", start, end: start, text: `if (${text}) ${error} ` },
      ];
      yield { operator: "refusal", at: node, weight, splices };
    }
  }
}

function* atTheEnd(block: ts.Block, thrown: readonly string[], scene: Scene): Generator<Change> {
  const last = block.statements.at(-1);
  if (!last || ts.isReturnStatement(last) || ts.isThrowStatement(last)) return;
  if (ts.isBreakOrContinueStatement(last)) return;
  for (const error of thrown) {
    for (const { text, weight } of atomsAt(last, scene).slice(0, MOST_CONDITIONS)) {
      const splices = [atEndOf(block, `if (${text}) ${error}`)];
      yield { operator: "refusal", at: last, weight: weight * 0.6, splices };
    }
  }
}
