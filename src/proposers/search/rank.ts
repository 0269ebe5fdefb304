import type { Edit } from "../../domain/candidate.ts";
import type { Mutation } from "../../ports/editor.ts";
import { OPERATORS, isOperatorName } from "./operator-table.ts";

/** How much the trust in an operator weighs against the likelihood of the edit. */
const TRUST = 3;

/** Characters of change at which an edit counts half. */
const HALF_SIZE = 120;

/**
 * How likely a change that satisfies the visible cases is right on others: its likelihood before
 * anything ran, times the trust in its operator, less for larger edits.
 */
export function promiseOf({ edits, operator, prior }: Omit<Mutation, "program">): number {
  const trust = isOperatorName(operator) ? OPERATORS[operator].trust : 0.5;
  return (prior * trust ** TRUST) / (1 + sizeOf(edits) / HALF_SIZE);
}

/** Most promising first. */
export function ranked<T extends Omit<Mutation, "program">>(plausible: readonly T[]): T[] {
  return plausible.toSorted((a, b) => promiseOf(b) - promiseOf(a));
}

/** Characters removed and added. */
export function sizeOf(edits: readonly Edit[]): number {
  return edits.reduce(
    (sum, edit) =>
      sum + (edit.op === "splice" ? edit.end - edit.start + edit.text.length : edit.code.length),
    0,
  );
}
