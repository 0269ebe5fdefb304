import type { Case } from "../../domain/case.ts";
import { isEndless } from "../../domain/trace.ts";
import type { Seat, Sifted } from "../../ports/sandbox.ts";

/**
 * How many times more fuel there is for those who ran out of it, and turns for all of them together:
 * a fault often ends a program early, so that the right one takes far longer than anything before it.
 */
const MORE = 50;
const MOST_TURNS = 40_000_000;

/** Those who get more, at a time: what they really take is known then. */
const AT_ONCE = 8;

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

/** Gives variants that ran out of fuel more of it, the likeliest first, as far as it goes. */
export class SecondChance {
  #turnsLeft = MOST_TURNS;

  /** What became of everything that was asked, those who got a second chance included. */
  async put(asked: Asked, { put, missesIn, patienceMs }: Means): Promise<Sifted> {
    const first = await put(asked);
    const endsAt = performance.now() + patienceMs;
    const { seats, cases } = asked;
    const outcomes = [...first.outcomes];
    const of = [...first.of];
    const least = this.#turnsLeft * (1 - SHARE);
    const missed = new Set<number>();
    for (const [at, one] of cases.entries()) {
      const unitOf = (seat: number): number => at * seats.length + seat;
      const late = lateIn(first, [...seats.keys()].map(unitOf)).map((unit) => unit % seats.length);
      const misses = missesIn(first, one);
      for (const seat of seats.keys()) {
        if (!late.includes(seat) && misses(unitOf(seat))) missed.add(seat);
      }
      const isOver = (): boolean => this.#turnsLeft <= least || performance.now() >= endsAt;
      for (let from = 0; from < late.length && !isOver(); from += AT_ONCE) {
        const some = late.slice(from, from + AT_ONCE).filter((seat) => !missed.has(seat));
        if (some.length === 0) continue;
        const again = await put({
          seats: some.map((seat) => seats[seat] as Seat),
          cases: [one],
          fuel: asked.fuel * MORE,
          patienceMs: endsAt - performance.now(),
        });
        const fails = missesIn(again, one);
        for (const [position, seat] of some.entries()) {
          // What it came to in time stands where there was no time for more.
          if ((again.outcomes[again.of[position] ?? -1] ?? null) === null) continue;
          of[unitOf(seat)] = outcomes.length + (again.of[position] ?? 0);
          if (fails(position)) missed.add(seat);
        }
        outcomes.push(...again.outcomes);
        this.#turnsLeft -= again.used.reduce((sum, used) => sum + used, 0);
      }
    }
    return { ...first, outcomes, of };
  }
}

function lateIn({ outcomes, of }: Sifted, units: readonly number[]): readonly number[] {
  return units.filter((unit) => isEndless(outcomes[of[unit] ?? -1] ?? null));
}
