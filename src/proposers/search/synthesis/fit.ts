import type { Noted, NotedRun } from "../../../ports/editor.ts";
import type { Term, Terms } from "./terms.ts";
import { decoded, NO_VALUE, type Value } from "./values.ts";

/** How much less likely an expression is that takes none of the values known to help. */
const NO_ANGEL = 0.15;

/** What is left of an expression that changes the hole's values in all passing cases. */
const CHANGES_ALL = 0.25;

/** What expressions for a hole are held against, in the numbers of some terms. */
export class Fit {
  readonly #runs: readonly NotedRun[];
  readonly #was: readonly number[];
  readonly #wanted: readonly (number | null)[];
  readonly #isExhaustive: boolean;

  constructor(
    { contexts, runs, isExhaustive }: Noted,
    terms: Terms,
    of: { readonly isCondition: boolean; readonly isResult: boolean },
  ) {
    this.#runs = runs;
    this.#isExhaustive = isExhaustive;
    const numberOf = (value: Value | typeof NO_VALUE): number =>
      value === NO_VALUE ? -1 : terms.idOf(of.isCondition ? Boolean(value) : value);
    this.#was = contexts.map(({ was }) => numberOf(decoded(was)));
    this.#wanted = runs.map((run) => {
      const isOnly = run.to - run.from === 1 && run.isComplete && !run.isForced;
      if (!of.isResult || of.isCondition || !isOnly || run.expected === undefined) return null;
      return numberOf(decoded(run.expected));
    });
  }

  /** Numbers of the values that the hole had, by context; -1 where it had none. */
  get was(): readonly number[] {
    return this.#was;
  }

  /** How well an expression fits, in [0,1]; 0 where it cannot make the failing cases pass. */
  of({ vector }: Pick<Term, "vector">): number {
    let share = 1;
    const passing: boolean[] = [];
    for (const [at, run] of this.#runs.entries()) {
      if (run.isForced) continue;
      const wanted = this.#wanted[at] ?? null;
      if (wanted !== null && vector[run.from] !== wanted) return 0;
      const isSame = this.#isAsNoted(run, vector);
      if (run.passed) passing.push(isSame || wanted !== null);
      else if (isSame && run.isComplete) return 0;
    }
    const angels = this.#runs.filter(({ isForced }) => isForced);
    const helps = angels.some((run) => this.#isAsNoted(run, vector));
    if (!helps && this.#isExhaustive) return 0;
    if (!helps && angels.length > 0) share *= NO_ANGEL;
    const kept = passing.length === 0 ? 1 : passing.filter(Boolean).length / passing.length;
    return share * (CHANGES_ALL + (1 - CHANGES_ALL) * kept);
  }

  /** The same where an expression must also give what a case or a force asked for. */
  ofAsked(term: Pick<Term, "vector">): number {
    const isWanted = this.#wanted.some((wanted, at) => wanted !== null && !this.#runs[at]?.passed);
    const angels = this.#runs.filter(({ isForced }) => isForced);
    const isHelped = angels.some((run) => this.#isAsNoted(run, term.vector));
    return isWanted || isHelped ? this.of(term) : 0;
  }

  #isAsNoted({ from, to }: NotedRun, vector: readonly number[]): boolean {
    for (let at = from; at < to; at += 1) if (vector[at] !== this.#was[at]) return false;
    return true;
  }
}
