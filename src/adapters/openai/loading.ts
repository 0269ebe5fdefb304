import type { Asked } from "./client.ts";
import { pauseFor } from "./deadline.ts";

/** A server that answers so is there, and its model not yet. */
const LOADING = [502, 503, 504];

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

/**
 * Asks again and again, at growing intervals, for as long as what comes back is only loading; the
 * last answer once it is not, or once `limitMs` have passed. Not for what somebody's budget counts.
 */
export async function waitWhileLoading<T>(
  ask: () => Promise<T>,
  {
    isLoading,
    now,
    limitMs,
  }: {
    readonly isLoading: (answer: T) => boolean;
    readonly now: () => number;
    readonly limitMs: number;
  },
  signal: AbortSignal,
): Promise<T> {
  const until = now() + limitMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    const answer = await ask();
    if (!isLoading(answer) || now() + pause > until) return answer;
    await pauseFor(pause, signal);
  }
}

/** Whether a refusal only means that the model is not loaded yet, or the server not ready. */
export function isLoading(asked: Asked): boolean {
  return asked.status === "refused" && LOADING.includes(asked.code);
}
