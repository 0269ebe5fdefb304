import { type Bare, type Intrinsics, methodOf } from "./intrinsics.ts";

/** The run's clock, in milliseconds since the epoch, and its random numbers. */
export type RunClock = Bare & {
  /** Every reading is a millisecond later than the last, so that waiting in a loop ends. */
  readonly read: () => number;
  /** Since the start, for `performance`. */
  readonly elapsed: () => number;
  readonly random: () => number;
  /** Starts again from an environment. */
  readonly start: (now: number, seed: number) => void;
  /** Goes on to the time of a delivery; never back. */
  readonly advance: (now: number) => void;
};

export function makeClock(): RunClock {
  const { imul, max } = Math;
  let startedAt = 0;
  let now = 0;
  let state = 0;
  // Mulberry32 (Tommy Ettinger, public domain): 32 bits a step, one word of state.
  const word = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    __proto__: null,
    read: () => now++,
    elapsed: () => now++ - startedAt,
    random: () => (word() * 2 ** 21 + (word() >>> 11)) / 2 ** 53,
    start: (from, seed) => {
      startedAt = from;
      now = from;
      state = seed | 0;
    },
    advance: (to) => {
      now = max(now, to);
    },
  };
}

/** Binds Date, Math.random, performance and Intl's default date to the run's clock. */
export function bindTime(of: Intrinsics, clock: RunClock): void {
  const Real = Date;
  const toString = methodOf(Real.prototype, "toString");
  const bound = function Date(this: unknown, ...args: unknown[]): unknown {
    if (new.target === undefined) return of.apply(toString, new Real(clock.read()), []);
    return of.construct(Real, args.length > 0 ? args : [clock.read()], new.target);
  };
  hide(of, Real, "now", () => clock.read());
  for (const key of ["now", "parse", "UTC", "prototype"] as const) {
    const found = of.descriptorOf(Real, key) as PropertyDescriptor;
    of.defineOwn(bound, key, found);
  }
  of.defineOwn(bound, "length", { value: 7 });
  hide(of, Real.prototype, "constructor", bound);
  hide(of, globalThis, "Date", bound);
  hide(of, Math, "random", () => clock.random());
  hide(of, globalThis, "performance", { now: () => clock.elapsed() });
  bindIntl(of, clock);
}

/** `format()` and `formatToParts()` without a date mean now. */
function bindIntl(of: Intrinsics, clock: RunClock): void {
  const { prototype } = Intl.DateTimeFormat;
  const format = of.descriptorOf(prototype, "format") as PropertyDescriptor;
  const read = methodOf(format, "get");
  const formatToParts = methodOf(prototype, "formatToParts");
  of.defineOwn(prototype, "format", {
    ...format,
    get(this: Intl.DateTimeFormat): unknown {
      const bare = of.apply(read, this, []) as (date: unknown) => string;
      return (date?: unknown) => bare(date ?? clock.read());
    },
  });
  hide(of, prototype, "formatToParts", function (this: Intl.DateTimeFormat, date?: unknown) {
    return of.apply(formatToParts, this, [date ?? clock.read()]);
  });
}

/** Defines a property as a built-in has it: there, but not enumerable. */
export function hide(of: Intrinsics, target: object, key: PropertyKey, value: unknown): void {
  const descriptor: PropertyDescriptor & Bare = {
    __proto__: null,
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  };
  of.defineOwn(target, key, descriptor);
}

/** The functions of this file, which become the text of the prelude. */
export const CLOCK_PARTS = [makeClock, bindTime, bindIntl, hide];
