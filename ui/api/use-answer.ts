import { signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { ask, Refusal, type Verb } from "./ask.ts";
import { changes } from "./live.ts";

/** What is known of an answer: the last one stays while it is asked for again. */
export type Answer<T> = {
  readonly data: T | null;
  readonly refusal: Refusal | null;
};

/** A question that somebody on the page asks, or has asked. */
type Question = {
  readonly verb: Verb;
  readonly body: string;
  readonly answer: Signal<Answer<unknown>>;
  users: number;
  stop: () => void;
};

/** Figures that no event announces, such as numbers of runs, are asked for again this often. */
const AGAIN_MS = 20_000;

/** Answers that are kept for when one comes back to their page. */
const KEPT = 40;

const questions = new Map<string, Question>();

/**
 * The answer of a verb, asked again when something happened in the workspace, and once for all parts
 * of the page that want it. null asks nothing.
 */
export function useAnswer<T>(verb: Verb, body: object | null = {}): ReadonlySignal<Answer<T>> {
  const text = JSON.stringify(body);
  const question = useMemo(() => questionOf(verb, text), [verb, text]);
  useEffect(() => {
    if (body === null) return;
    question.users += 1;
    if (question.users === 1) question.stop = keepAsking(question);
    return () => {
      question.users -= 1;
      if (question.users === 0) question.stop();
    };
  }, [question]);
  return question.answer as Signal<Answer<T>>;
}

function questionOf(verb: Verb, body: string): Question {
  const key = `${verb} ${body}`;
  const known = questions.get(key);
  if (known !== undefined) return known;
  for (const [old, { users }] of questions) {
    if (questions.size < KEPT) break;
    if (users === 0) questions.delete(old);
  }
  const answer = signal<Answer<unknown>>({ data: null, refusal: null });
  const made: Question = { verb, body, answer, users: 0, stop: () => undefined };
  questions.set(key, made);
  return made;
}

/** Asks now and again, one question at a time, until it is stopped. */
function keepAsking({ verb, body, answer }: Question): () => void {
  const ending = new AbortController();
  let isAsking = false;
  let isWanted = false;
  const refresh = async (): Promise<void> => {
    isWanted = true;
    if (isAsking) return;
    isAsking = true;
    while (isWanted && !ending.signal.aborted) {
      isWanted = false;
      await askOnce(verb, body, answer, ending.signal);
    }
    isAsking = false;
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
}

async function askOnce(
  verb: Verb,
  body: string,
  answer: Signal<Answer<unknown>>,
  ending: AbortSignal,
): Promise<void> {
  try {
    const data = await ask<unknown>(verb, JSON.parse(body) as object, ending);
    answer.value = { data, refusal: null };
  } catch (error) {
    if (ending.aborted) return;
    if (!(error instanceof Refusal)) throw error;
    answer.value = { data: answer.peek().data, refusal: error };
  }
}
