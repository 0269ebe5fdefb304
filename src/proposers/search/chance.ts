/** Numbers that look random and are the same for the same seed. */
export type Chance = {
  /** An integer in [0, below). */
  readonly below: (below: number) => number;
  /** One of some values. Throws where there is none. */
  readonly of: <T>(values: readonly T[]) => T;
};

/** The generator mulberry32, started from a seed: 32 bits of state are plenty for test inputs. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const below = (most: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most);
  };
  const of = <T>(values: readonly T[]): T => {
    if (values.length === 0) throw new Error("there is nothing to choose from");
    return values[below(values.length)] as T;
  };
  return { below, of };
}
