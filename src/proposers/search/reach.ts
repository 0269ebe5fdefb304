/**
 * How far past its first find a search goes on: as a multiple of what it looked at, and at least;
 * but no longer than this share of the budget. What else satisfies the cases tells how sure it is;
 * in bench/choice 3 in 100 right edits come more than 200 places behind the first plausible one.
 */
const FURTHER = 3;
const LEAST_FURTHER = 3_000;
const FURTHER_SHARE = 0.2;

/** How much further it goes where that was not enough, as a multiple of what it looked at. */
const ONCE_MORE = 3;

/** Counts what a search looks at, and tells when it has looked far enough for now. */
export class Reach {
  readonly #budgetMs: number;
  readonly #now: () => number;
  #looked = 0;
  #first = Infinity;
  #stopAt = Infinity;
  #stopsAt = Infinity;

  constructor(budgetMs: number, now: () => number) {
    this.#budgetMs = budgetMs;
    this.#now = now;
  }

  /** Programs looked at until the first that was found, itself included; Infinity where none was. */
  get first(): number {
    return this.#first;
  }

  /** Programs that may be looked at until it is enough. */
  get room(): number {
    return this.#now() >= this.#stopsAt ? 0 : this.#stopAt - this.#looked;
  }

  /** Some more were looked at, and something was found among them, or nothing. */
  note(looked: number, isFound: boolean): void {
    this.#looked += looked;
    if (!isFound || this.#first < Infinity) return;
    this.#first = this.#looked;
    this.#stopAt = this.#looked + Math.max(LEAST_FURTHER, Math.ceil(this.#looked * FURTHER));
    this.#stopsAt = this.#now() + this.#budgetMs * FURTHER_SHARE;
  }

  /** What was found does not do: the search goes on, as long as there is time. */
  extend(): void {
    this.#stopAt = this.#looked * ONCE_MORE;
    this.#stopsAt = Infinity;
  }
}
