import type { Json, JsonObject } from "../../domain/json.ts";
import type { Run } from "../../domain/task.ts";
import { exchangesOf } from "../../domain/trace.ts";

/** Characters of a text, and items of a list, that a shortened trace shows. */
const MOST_CHARACTERS = 2_000;
const MOST_ITEMS = 100;

/** A run in a line: what a list of runs shows. */
export function runRow({ id, skill, version, startedAt, reward, trace, taskId }: Run): JsonObject {
  const { status } = trace.outcome;
  const { wallMs } = trace.usage;
  return {
    run: id,
    task: taskId,
    skill,
    version,
    startedAt,
    outcome: status,
    reward,
    durationMs: wallMs,
  };
}

/**
 * A run with all that happened in it: its input, every request to the world with its answer, its
 * log and its outcome. Of a run that is set aside nothing is told but that it was and how it scored:
 * what it asks would no more be held out.
 */
export function runView(run: Run): JsonObject {
  const row = { ...runRow(run), heldOut: run.isHeldOut };
  if (run.isHeldOut) return { ...row, outcome: null, input: null, expectation: null, trace: null };
  const { input, expectation, trace } = run;
  const { environment, outcome, logs, usage } = trace;
  const exchanges = exchangesOf(trace).map(({ request: { kind, args }, answer }): JsonObject => {
    return { kind, args, answer: answerOf(answer) };
  });
  return {
    ...row,
    input,
    expectation: expectation === null ? null : { ...expectation },
    trace: {
      environment: { ...environment },
      exchanges,
      logs: logs.map((line) => ({ ...line })),
      outcome: outcome as unknown as JsonObject,
      usage: { ...usage },
    },
  };
}

function answerOf(answer: ReturnType<typeof exchangesOf>[number]["answer"]): Json {
  if (answer === undefined) return null;
  const { id: _, ...said } = answer;
  return said;
}

/** The same value with its long texts and lists cut, each with how much there was. */
export function shortened(value: Json): Json {
  if (typeof value === "string") return shortText(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).slice(0, MOST_ITEMS).map(shortened);
    return value.length > MOST_ITEMS ? [...items, `… ${value.length} in all`] : items;
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]));
}

function shortText(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS)}… ${text.length} characters in all`;
}
