/** Timers of this process by a clock that a test moves. */
export type FakeTimers = Disposable & {
  /** Lets time pass, timer by timer, and the sockets of this process do what they have to after each step. */
  readonly pass: (ms: number) => Promise<void>;
};

/** One timer, as Node's `setTimeout` gives it. */
class FakeTimeout {
  at: number;
  isActive = true;
  readonly #clock: { now: number };
  readonly #delay: number;
  readonly call: () => void;

  constructor(clock: { now: number }, delay: number, call: () => void) {
    this.#clock = clock;
    this.#delay = delay;
    this.at = clock.now + delay;
    this.call = call;
  }

  refresh(): this {
    this.at = this.#clock.now + this.#delay;
    this.isActive = true;
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/**
 * Puts `setTimeout` and `clearTimeout` under a clock that stands still. Unlike the mock of node:test
 * its timers can be refreshed, which undici's are all the time. Put it up before the first request:
 * undici keeps one timer for all of them.
 */
export function fakeTimers(): FakeTimers {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const clock = { now: 0 };
  const timers = new Set<FakeTimeout>();
  const set = (call: (...args: unknown[]) => void, delay = 0, ...args: unknown[]): FakeTimeout => {
    const timer = new FakeTimeout(clock, Math.max(1, delay), () => call(...args));
    timers.add(timer);
    return timer;
  };
  const clear = (timer: unknown): void => {
    if (timer instanceof FakeTimeout) timer.isActive = false;
    else real.clearTimeout(timer as NodeJS.Timeout);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  return {
    async pass(ms) {
      const until = clock.now + ms;
      while (clock.now < until) {
        clock.now = Math.min(until, clock.now + 500);
        for (const timer of timers) {
          if (!timer.isActive || timer.at > clock.now) continue;
          timer.isActive = false;
          timer.call();
        }
        await turns();
      }
    },
    [Symbol.dispose]: () => void Object.assign(globalThis, real),
  };
}

/** Lets the sockets of this process do what they have to. */
export async function turns(count = 1): Promise<void> {
  for (let at = 0; at < count; at += 1) await new Promise((resolve) => setImmediate(resolve));
}
