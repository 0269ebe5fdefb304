import type { Case } from "../../domain/case.ts";
import { isEndless } from "../../domain/trace.ts";
import type { Seat, Sifted } from "../../ports/sandbox.ts";

/**
 * How many times more fuel there is for those who ran out of it, and how many get it at a time. A
 * fault often ends a program early, so that the right one takes far longer than anything before it;
 * most that run out would never end. Hence iterative deepening (Korf, AIJ 1985): a little more for
 * all of them, much more for the likeliest of those that are left.
 */
const STEPS: readonly (readonly [more: number, atOnce: number])[] = [
  [20, 64],
  [500, 8],
];

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
 * Puts variants to cases, and gives those that ran out of fuel more of it, the likeliest first, as
 * long as patience lasts. Tells what became of everything that was asked.
 */
export async function putWithPatience(asked: Asked, means: Means): Promise<Sifted> {
  let known = await means.put(asked);
  const endsAt = performance.now() + means.patienceMs;
  for (const [more, atOnce] of STEPS) {
    known = await again(known, { ...asked, fuel: asked.fuel * more }, { ...means, atOnce, endsAt });
  }
  return known;
}

type Step = Means & { readonly atOnce: number; readonly endsAt: number };

async function again(known: Sifted, asked: Asked, step: Step): Promise<Sifted> {
  const { seats, cases, fuel } = asked;
  const { put, missesIn, atOnce, endsAt } = step;
  const outcomes = [...known.outcomes];
  const of = [...known.of];
  const missed = new Set<number>();
  for (const [at, one] of cases.entries()) {
    const unitOf = (seat: number): number => at * seats.length + seat;
    const isLate = (seat: number): boolean => isEndless(outcomes[of[unitOf(seat)] ?? -1] ?? null);
    const misses = missesIn(known, one);
    const late = [...seats.keys()].filter(isLate);
    for (const seat of seats.keys()) if (!isLate(seat) && misses(unitOf(seat))) missed.add(seat);
    for (let from = 0; from < late.length && performance.now() < endsAt; from += atOnce) {
      const some = late.slice(from, from + atOnce).filter((seat) => !missed.has(seat));
      if (some.length === 0) continue;
      const chosen = some.map((seat) => seats[seat] as Seat);
      const patienceMs = endsAt - performance.now();
      const sifted = await put({ seats: chosen, cases: [one], fuel, patienceMs });
      const fails = missesIn(sifted, one);
      for (const [position, seat] of some.entries()) {
        // What it came to in time stands where there was no time for more.
        if ((sifted.outcomes[sifted.of[position] ?? -1] ?? null) === null) continue;
        of[unitOf(seat)] = outcomes.length + (sifted.of[position] ?? 0);
        if (fails(position)) missed.add(seat);
      }
      outcomes.push(...sifted.outcomes);
    }
  }
  return { ...known, outcomes, of };
}
