import { judge } from "../../domain/judge.ts";
import type { JudgedCase } from "../../domain/incident.ts";
import { canonical } from "../../domain/json.ts";
import type { Outcome } from "../../domain/trace.ts";
import type { Mutation } from "../../ports/editor.ts";
import type { ProposalRequest } from "../../ports/proposer.ts";
import { closeness } from "./closeness.ts";
import { isAlike } from "./sieve.ts";
import { siftedTable, type TablePorts } from "./sifted-table.ts";

/** What a program makes of the failing cases; equal keys are the same behaviour on all of them. */
export type Progress = {
  /** How much nearer it brings the failing ones, in cases; below 0 where it loses one that passed. */
  readonly gain: number;
  readonly key: string;
};

/** Turns of loops and entries into functions for one case: what needs more makes no progress. */
const FUEL = 20_000;

/**
 * The progress that each of some mutations makes, all of them sifted together; null for one of which
 * it is not known in time. Null altogether where a sift does not do as the program did outside.
 */
export async function progressTogether(
  mutations: readonly Mutation[],
  {
    request: { skill, diagnosis },
    budgetMs,
  }: { readonly request: ProposalRequest; readonly budgetMs: number },
  ports: TablePorts,
  signal: AbortSignal,
): Promise<readonly (Progress | null)[] | null> {
  const { judged } = diagnosis;
  if (judged.some((one) => one.case.expectation.kind === "reward")) return null;
  const questions = judged.map((one) => one.case);
  const asked = { skill, questions, fuel: FUEL, budgetMs };
  const table = await siftedTable(mutations, asked, ports, signal);
  const [original, ...rows] = (table?.rows ?? []).map((row) =>
    row.map((at) => table?.answers[at]?.outcome ?? null),
  );
  if (original?.every((outcome, at) => isAlike(outcome, outcomeAt(judged, at))) !== true)
    return null;
  return rows.map((row) => (row.includes(null) ? null : progressIn(row as Outcome[], judged)));
}

function outcomeAt(judged: readonly JudgedCase[], at: number): Outcome {
  return (judged[at] as JudgedCase).outcome;
}

/** The progress from what was before to what came out, case by case. */
function progressIn(outcomes: readonly Outcome[], before: readonly JudgedCase[]): Progress {
  const key = canonical(outcomes.map(keyOf));
  let gain = 0;
  for (const [at, outcome] of outcomes.entries()) {
    const { case: of, passed, outcome: was } = before[at] as JudgedCase;
    if (!passed) gain += closeness(outcome, of) - closeness(was, of);
    else if (of.expectation.kind !== "reward" && !judge(outcome, of.expectation).passed) {
      return { gain: -1, key };
    }
  }
  return { gain, key };
}

function keyOf(outcome: Outcome): string {
  return outcome.status === "returned" ? canonical(outcome.value) : outcome.status;
}
