/** Shares of the largest bet that can be survived; the wealth is split evenly among them. */
export const SHARES = Array.from({ length: 12 }, (_, at) => (at + 0.5) / 12);

/**
 * The logarithm of the wealth of a bettor, who begins with 1, against "the mean of these values, all
 * at least 0, is at most `bound`". A share c of the largest bet multiplies the wealth by
 * 1 − c + c·value/bound: never negative, and by at most 1 in the mean where the claim is true. Bets
 * that never change depend on the past only; their mixture grows about as fast as the best of them.
 */
export function logWealthAgainst(bound: number, tally: Tally): number {
  const logs = SHARES.map((share) =>
    tally.reduce((log, [value, times]) => {
      return log + times * Math.log(1 - share + (share * value) / bound);
    }, 0),
  );
  const largest = Math.max(...logs);
  const sum = logs.reduce((total, log) => total + Math.exp(log - largest), 0);
  return largest + Math.log(sum / SHARES.length);
}

/** Bounds of a mean are told to this precision. */
const STEP = 1 / 256;

/**
 * What the mean of values in [0,1] is above, with a chance of `delta` of being wrong: the largest
 * bound that the bettor against it has refuted. Waudby-Smith and Ramdas, JRSS-B 2024.
 */
export function lowerBound(values: readonly number[], delta: number): number {
  const tally = tallyOf(values);
  const needed = Math.log(1 / delta);
  let bound = 0;
  while (bound + STEP < 1 && logWealthAgainst(bound + STEP, tally) >= needed) bound += STEP;
  return bound;
}

/** Distinct values with how often each occurs: the order plays no part in this test. */
type Tally = readonly (readonly [value: number, times: number])[];

export function tallyOf(values: readonly number[]): Tally {
  const times = new Map<number, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  return [...times];
}
