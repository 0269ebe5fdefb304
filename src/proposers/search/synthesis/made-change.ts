import type { ts } from "ts-morph";
import type { Noted } from "../../../ports/editor.ts";
import type { Splice } from "../change.ts";
import { OPERATORS } from "../operator-table.ts";
import { inPlaceOf } from "../precedence.ts";
import type { Scene } from "../scene.ts";
import type { Hole } from "./holes.ts";
import { likeness } from "./likeness.ts";
import type { Term, TermClass, Terms } from "./terms.ts";

/** A change that puts a synthesised expression into a hole. */
export type MadeChange = {
  readonly operator: "synthesise-condition" | "synthesise-value" | "synthesise-guard";
  readonly splices: readonly Splice[];
  readonly prior: number;
};

/** A hole with the expressions over what was noted there. */
export type Filling = {
  readonly hole: Hole;
  readonly terms: Terms;
  readonly noted: Noted;
  readonly scene: Scene;
};

/** What one more unit of cost leaves of a prior. */
const PER_COST = 0.8;

/** How likely an expression of some cost is, in (0,1]. */
export function likelihood(cost: number): number {
  return PER_COST ** cost;
}

/** How likely an expression is where another one stood: less the more it costs, more if alike. */
export function promiseOf(own: string, { text, cost }: Pick<Term, "text" | "cost">): number {
  return likelihood(cost) * (0.3 + 0.7 * likeness(own, text));
}

/** Puts an expression of some binding strength in the place of the hole's own. */
export function replacedBy(
  { text, binds }: Pick<Term, "text" | "binds">,
  { kind, node, weight }: Hole,
  likely: number,
): MadeChange {
  const written = inPlaceOf(node as ts.Expression, text, binds);
  const splices = [{ op: "splice", start: node.getStart(), end: node.end, text: written }] as const;
  const operator = kind === "condition" ? "synthesise-condition" : "synthesise-value";
  return { operator, splices, prior: OPERATORS[operator].prior * weight * likely };
}

/** Puts a text before the statement of a hole. */
export function insertedAt({ node, weight }: Hole, text: string, likely: number): MadeChange {
  const start = node.getStart();
  const splices = [{ op: "splice", start, end: start, text }] as const;
  const operator = "synthesise-guard";
  return { operator, splices, prior: OPERATORS[operator].prior * weight * likely };
}

/** Whether an expression has the same value in every context. */
export function isFixed({ vector }: Pick<Term, "vector">): boolean {
  return vector.every((id) => id === vector[0]);
}

/** Conditions that are no constants, by what they are in all contexts; the cheapest first. */
export function conditionsIn({ classes }: Terms): readonly TermClass[] {
  return classes.filter(({ best }) => best.kind === "boolean" && !isFixed(best));
}

/** The ways to write a condition, each with how usual it is: questions of one value mostly are. */
export function* waysToAsk({ best, others }: TermClass): Generator<readonly [Term, number]> {
  for (const term of [best, ...others]) yield [term, ONE_VALUE.test(term.text) ? 1 : UNUSUAL];
}

/** A comparison with a literal, a call, a name, or the opposite of one. */
const ONE_VALUE = /(?:[<>=] (?:-?\d+|"[^"]*"|null)|\))$|^!?[\w$.]+$/;
const UNUSUAL = 0.6;
