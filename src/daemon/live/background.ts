import { performance } from "node:perf_hooks";
import { HoneError } from "../../domain/errors.ts";

/** Work that nobody waits for. */
export type Background = {
  /** Adds a job; where too many wait, the oldest is let go. */
  readonly add: (job: Job) => void;
} & AsyncDisposable;

type Job = () => Promise<void>;

/** Between two looks whether it is quiet, and between two jobs at least, in milliseconds. */
const LOOK_MS = 20;

/**
 * Does jobs one at a time, in no more than a part of the time (`load`), and begins none while
 * `isBusy`. A job that the world fails is let go.
 */
export function inBackground({
  most,
  load,
  isBusy,
  signal,
}: {
  /** Jobs that wait at most. */
  readonly most: number;
  readonly load: number;
  readonly isBusy: () => boolean;
  readonly signal: AbortSignal;
}): Background {
  const waiting: Job[] = [];
  let timer: NodeJS.Timeout | null = null;
  let working: Promise<void> | null = null;
  const soon = (afterMs: number): void => {
    if (signal.aborted || working !== null || waiting.length === 0) return;
    timer ??= setTimeout(turn, afterMs);
  };
  const turn = (): void => {
    timer = null;
    if (isBusy()) return soon(LOOK_MS);
    const job = waiting.shift();
    if (job === undefined || signal.aborted) return;
    const begun = performance.now();
    working = job()
      .catch(unlessOfTheWorld)
      .finally(() => {
        working = null;
        const took = performance.now() - begun;
        soon(Math.max(LOOK_MS, took * (1 / load - 1)));
      });
  };
  return {
    add(job) {
      waiting.push(job);
      if (waiting.length > most) waiting.shift();
      soon(LOOK_MS);
    },
    async [Symbol.asyncDispose]() {
      waiting.length = 0;
      if (timer !== null) clearTimeout(timer);
      await working;
    },
  };
}

function unlessOfTheWorld(error: unknown): void {
  if (!(error instanceof HoneError)) throw error;
}
