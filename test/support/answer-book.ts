import type { AnswerBook, KeptAnswer } from "../../src/serve/http/idempotency.ts";

/** Answers by their keys, in memory. */
export function answerBook(): AnswerBook {
  const kept = new Map<string, KeptAnswer>();
  return {
    keptAnswer: (key) => kept.get(key) ?? null,
    keepAnswer: (key, answer) => void kept.set(key, answer),
  };
}
