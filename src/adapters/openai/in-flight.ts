import { pauseFor } from "./deadline.ts";

/** How many requests an endpoint has at a time, and when it wants none. */
export type InFlight = {
  /**
   * Waits for a free place; disposed of, it is free again. Null: the endpoint has asked for a longer
   * pause than is waited for; see `pausedMs`.
   */
  readonly enter: (signal: AbortSignal) => Promise<Disposable | null>;
  readonly pausedMs: () => number;
  /** An answer came: there may be one more in flight for every round of answers. */
  readonly went: () => void;
  /** It was too much: half of them from now on, and none for a while. */
  readonly tooMuch: (pauseMs: number) => void;
  readonly limit: () => number;
};

/** A pause that is waited for without a word. */
const PATIENCE_MS = 5_000;

/** Nobody is believed who asks for a longer pause. */
const LONGEST_PAUSE_MS = 600_000;

/**
 * Additive increase, multiplicative decrease (Chiu and Jain 1989): starts at `most`, is halved by
 * each refusal for overload, and grows back by one for each round of answers.
 */
export function createInFlight(most: () => number, now: () => number): InFlight {
  let limit = Number.POSITIVE_INFINITY;
  let inside = 0;
  let pausedUntil = 0;
  const waiting: (() => void)[] = [];
  const allowed = (): number => Math.max(1, Math.floor(Math.min(limit, most())));
  const pausedMs = (): number => Math.max(0, pausedUntil - now());
  const wake = (): void => {
    for (let free = allowed() - inside; free > 0; free -= 1) waiting.shift()?.();
  };
  const leave = (): void => {
    inside -= 1;
    wake();
  };
  return {
    async enter(signal) {
      while (inside >= allowed()) await turn(waiting, signal);
      inside += 1;
      try {
        const pause = pausedMs();
        if (pause <= PATIENCE_MS) {
          if (pause > 0) await pauseFor(pause, signal);
          return once(leave);
        }
      } catch (thrown) {
        leave();
        throw thrown;
      }
      leave();
      return null;
    },
    pausedMs,
    went() {
      limit += 1 / limit;
      wake();
    },
    tooMuch(pauseMs) {
      // One burst is refused many times, which says no more than once.
      if (pausedMs() === 0) limit = Math.max(1, allowed() / 2);
      pausedUntil = Math.max(pausedUntil, now() + Math.min(pauseMs, LONGEST_PAUSE_MS));
    },
    limit: allowed,
  };
}

function once(leave: () => void): Disposable {
  let isInside = true;
  return {
    [Symbol.dispose]() {
      if (isInside) leave();
      isInside = false;
    },
  };
}

/** Waits until a place may be free. */
async function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onTurn = (): void => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    const onAbort = (): void => {
      waiting.splice(waiting.indexOf(onTurn), 1);
      reject(signal.reason as Error);
    };
    waiting.push(onTurn);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
