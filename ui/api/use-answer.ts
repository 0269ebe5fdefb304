import { signal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { ask, Refusal, type Verb } from "./ask.ts";
import { changes } from "./live.ts";

/** What is known of an answer: the last one stays while it is asked for again. */
export type Answer<T> = {
  readonly data: T | null;
  readonly refusal: Refusal | null;
};

/** Figures that no event announces, such as numbers of runs, are asked for again this often. */
const AGAIN_MS = 20_000;

/**
 * The answer of a verb, asked again when something happened in the workspace. `body` is compared by
 * its JSON text; null asks nothing.
 */
export function useAnswer<T>(verb: Verb, body: object | null = {}): ReadonlySignal<Answer<T>> {
  const text = JSON.stringify(body);
  const answer = useMemo(() => signal<Answer<T>>({ data: null, refusal: null }), [verb, text]);
  useEffect(() => {
    if (body === null) return;
    const ending = new AbortController();
    const refresh = async (): Promise<void> => {
      try {
        const data = await ask<T>(verb, body, ending.signal);
        answer.value = { data, refusal: null };
      } catch (error) {
        if (ending.signal.aborted) return;
        if (!(error instanceof Refusal)) throw error;
        answer.value = { data: answer.peek().data, refusal: error };
      }
    };
    const unsubscribe = changes.subscribe(() => void refresh());
    const timer = setInterval(() => {
      if (!document.hidden) void refresh();
    }, AGAIN_MS);
    return () => {
      ending.abort();
      unsubscribe();
      clearInterval(timer);
    };
  }, [verb, text]);
  return answer;
}
