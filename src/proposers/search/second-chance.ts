import type { Case } from "../../domain/case.ts";
import { isEndless } from "../../domain/trace.ts";
import type { Seat, Sifted } from "../../ports/sandbox.ts";

/**
 * How many times more fuel those get who ran out of it, in rounds, and how many at a time: a fault
 * often ends a program early, so that the right one takes far longer than anything before it.
 */
const ROUNDS = [
  { more: 20, atOnce: 512 },
  { more: 1_000, atOnce: 8 },
] as const;

/** Turns for all of them together. */
const MOST_TURNS = 40_000_000;

/** So few have passed another case before: each of them is worth it. */
const FEW = 64;

/** Share of the turns left that one batch may use. */
const SHARE = 0.25;

/** Variants and cases that are put together. */
export type Asked = {
  readonly seats: readonly Seat[];
  readonly cases: readonly Case[];
  readonly fuel: number;
  /** Where a variant may take longer than those before it: milliseconds for all of these. */
  readonly patienceMs?: number;
};

type Means = {
  readonly put: (asked: Asked) => Promise<Sifted>;
  /** Whether a unit of a sift misses a case. */
  readonly missesIn: (sifted: Sifted, of: Case) => (unit: number) => boolean;
  /** Milliseconds for all second chances of this time. */
  readonly patienceMs: number;
};

/**
 * Gives variants that ran out of fuel more of it, the likeliest first, as far as it goes; where some
 * of many pass a case, there is enough for that case.
 */
export class SecondChance {
  #turnsLeft = MOST_TURNS;

  /** What became of everything that was asked, those who got a second chance included. */
  async put(asked: Asked, { put, missesIn, patienceMs }: Means): Promise<Sifted> {
    const first = await put(asked);
    const endsAt = performance.now() + patienceMs;
    const least = this.#turnsLeft * (1 - SHARE);
    const isOver = (): boolean => this.#turnsLeft <= least || performance.now() >= endsAt;
    const table = { ...first, outcomes: [...first.outcomes], of: [...first.of] };
    for (const [at, one] of asked.cases.entries()) {
      const units = asked.seats.map((_, seat) => at * asked.seats.length + seat);
      const misses = missesIn(first, one);
      if (units.length > FEW && units.some((unit) => !misses(unit))) continue;
      for (const { more, atOnce } of ROUNDS) {
        const late = lateIn(table, units);
        for (let from = 0; from < late.length && !isOver(); from += atOnce) {
          const some = late.slice(from, from + atOnce);
          const again = await put({
            seats: some.map((unit) => asked.seats[unit % asked.seats.length] as Seat),
            cases: [one],
            fuel: asked.fuel * more,
            patienceMs: endsAt - performance.now(),
          });
          this.#turnsLeft -= again.used.reduce((sum, used) => sum + used, 0);
          takeIn(table, some, again);
        }
      }
    }
    return table;
  }
}

type Table = { readonly outcomes: Sifted["outcomes"][number][]; readonly of: number[] };

/** What a unit came to before stands where there was no time for more. */
function takeIn({ outcomes, of }: Table, units: readonly number[], again: Sifted): void {
  for (const [position, unit] of units.entries()) {
    const at = again.of[position] ?? -1;
    if ((again.outcomes[at] ?? null) !== null) of[unit] = outcomes.length + at;
  }
  outcomes.push(...again.outcomes);
}

function lateIn({ outcomes, of }: Table, units: readonly number[]): readonly number[] {
  return units.filter((unit) => isEndless(outcomes[of[unit] ?? -1] ?? null));
}
