import type { Noted, NotedRun } from "../../../ports/editor.ts";
import { conditionsIn } from "./made-change.ts";
import type { Term, TermClass, Terms } from "./terms.ts";
import { decoded, NO_VALUE } from "./values.ts";

/** A condition and what is given back where it holds. */
export type Guard = {
  readonly condition: TermClass;
  readonly result: Term;
  readonly fit: number;
};

/** Results that are looked at, and conditions for each. */
const MOST_RESULTS = 40;
const MOST_CONDITIONS = 1_500;

/**
 * Early returns that make every failing case pass and lose none that passes, as far as the noted
 * contexts tell: in each case the guard answers in the first context in which its condition holds,
 * and what it gives back there is what the case expects; where it never holds nothing changes.
 */
export function guardsOf(terms: Terms, noted: Noted): readonly Guard[] {
  const runs = noted.runs.filter(({ isForced }) => !isForced);
  const wanted = runs.map(({ expected }) => {
    const value = decoded(expected);
    return value === NO_VALUE ? -1 : terms.idOf(value);
  });
  const conditions = conditionsIn(terms).slice(0, MOST_CONDITIONS);
  const results = terms.classes
    .map(({ best }) => best)
    .filter((term) => runs.some((run, at) => !run.passed && answers(term, run, wanted[at] ?? -1)))
    .slice(0, MOST_RESULTS);
  const truth = terms.idOf(true);
  return results.flatMap((result) =>
    conditions.flatMap((condition) => {
      const fit = fitOf({ condition: condition.best, result }, { runs, wanted, truth });
      return fit > 0 ? [{ condition, result, fit }] : [];
    }),
  );
}

function answers({ vector }: Term, { from, to }: NotedRun, wanted: number): boolean {
  return vector.slice(from, to).includes(wanted);
}

function fitOf(
  { condition, result }: { readonly condition: Term; readonly result: Term },
  {
    runs,
    wanted,
    truth,
  }: {
    readonly runs: readonly NotedRun[];
    readonly wanted: readonly number[];
    readonly truth: number;
  },
): number {
  let fit = 1;
  for (const [at, run] of runs.entries()) {
    let first = run.from;
    while (first < run.to && condition.vector[first] !== truth) first += 1;
    const holds = first < run.to;
    if (!holds && !run.passed && run.isComplete) return 0;
    if (!holds) continue;
    if (result.vector[first] !== wanted[at]) return 0;
    // It also answers where all was well: likelier a special case than the missing one.
    if (run.passed) fit *= 0.8;
  }
  return fit;
}
