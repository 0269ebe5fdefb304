import type { CompletionRequest, Message } from "../../domain/completion.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { ModelCard } from "../../domain/model-card.ts";
import type { Asked, Client } from "./client.ts";
import { degradations } from "./degraded.ts";
import { inShort } from "./find-endpoint.ts";
import { probeContext } from "./probe-context.ts";
import { wordsPrompt, type ProbeAsk } from "./probe-prompts.ts";
import { probeStructured } from "./probe-structured.ts";
import { answerIn, readAnswer, type Answer } from "./read-answer.ts";
import { askSideDoors } from "./side-doors.ts";
import type { Structured } from "./structured.ts";
import { isLoading, waitWhileLoading } from "./loading.ts";

/** The model of an endpoint that is to be probed. */
export type Subject = {
  readonly client: Client;
  readonly baseUrl: string;
  readonly model: string;
  /** Its entry in the server's list. */
  readonly entry: JsonObject;
};

/** A card, and what else the next requests need to know. */
export type Probed = {
  readonly card: ModelCard;
  readonly structured: Structured;
  /** Whether the prompt's tokens are counted when they were in the server's cache. */
  readonly countsCached: boolean;
};

export type ProbeResult =
  | { readonly status: "probed"; readonly probed: Probed }
  | { readonly status: "unreachable"; readonly reason: string };

/** Time for one request of the probe: a prompt of some thousand tokens on a slow machine. */
const LIMIT_MS = 120_000;

/** Requests in flight for servers that do not say; those that batch continuously take more. */
const PARALLEL: Readonly<Record<string, number>> = { vllm: 16, sglang: 16 };
const PARALLEL_ELSE = 4;
const MOST_PARALLEL = 64;

const SEED = 7;

/**
 * Finds out what an endpoint really does, by asking it: at most 13 requests with 34,000 tokens of
 * prompts and 4,000 of answers in all (6 requests where all goes well), beside four GETs. While the
 * model is being loaded it waits, up to `loadingMs`.
 */
export async function probe(
  subject: Subject,
  {
    now,
    loadingMs,
    timeoutMs,
  }: {
    readonly now: () => number;
    readonly loadingMs: number;
    readonly timeoutMs: number;
  },
  signal: AbortSignal,
): Promise<ProbeResult> {
  const limitMs = Math.min(LIMIT_MS, timeoutMs);
  const ask: ProbeAsk = async (messages, maxTokens, more = {}) =>
    await subject.client.ask(requestOf(subject.model, messages, maxTokens, more), signal, limitMs);
  const first = await waitWhileLoading(
    async () => await ask(wordsPrompt(), 32, { seed: SEED, temperature: 1 }),
    { isLoading, now, limitMs: loadingMs },
    signal,
  );
  if (first.status !== "answered") return { status: "unreachable", reason: refusal(first) };
  const words = readAnswer(first.answer);
  const repeated = answerIn(await ask(wordsPrompt(), 32, { seed: SEED, temperature: 1 }));
  const told = await askSideDoors(subject.client, subject, signal);
  const extras = await probeExtras(ask);
  const structured = await probeStructured(ask);
  const countsCached = isCountedWhole(words, repeated);
  const context = await probeContext(ask, { told: told.contextTokens, countsCached, now });
  const seen = [words, repeated, ...structured.answers].filter((one) => one !== null);
  const known = {
    endpoint: subject.baseUrl,
    model: subject.model,
    server: told.server,
    mode: structured.structured.mode,
    reasoning: reasoningIn(seen),
    contextTokens: context.tokens,
    tokensPerCharacter: context.tokensPerCharacter,
    parallel: Math.min(MOST_PARALLEL, told.parallel ?? PARALLEL[told.server] ?? PARALLEL_ELSE),
    supports: { ...extras, seed: isSame(words, repeated), usage: words.usage !== null },
    probedAt: now(),
  };
  const degraded = degradations(known, {
    context,
    countsCached,
    isTold: told.contextTokens !== null,
  });
  const card = { ...known, degraded };
  return { status: "probed", probed: { card, structured: structured.structured, countsCached } };
}

function requestOf(
  model: string,
  messages: readonly Message[],
  maxTokens: CompletionRequest["maxTokens"],
  more: JsonObject,
): JsonObject {
  return {
    model,
    messages: messages.map((message) => ({ ...message })),
    max_tokens: maxTokens,
    temperature: 0,
    stream: false,
    ...more,
  };
}

/** Two answers to one request, and the odds of tokens: asked for together, then one by one. */
async function probeExtras(
  ask: ProbeAsk,
): Promise<{ readonly n: boolean; readonly logprobs: boolean }> {
  const both = answerIn(await ask(wordsPrompt(), 8, { n: 2, logprobs: true }));
  if (both !== null) return { n: hasTwo(both), logprobs: hasLogprobs(both) };
  const two = answerIn(await ask(wordsPrompt(), 8, { n: 2 }));
  const odds = answerIn(await ask(wordsPrompt(), 8, { logprobs: true }));
  return { n: two !== null && hasTwo(two), logprobs: odds !== null && hasLogprobs(odds) };
}

function hasTwo({ choices }: Answer): boolean {
  return choices.length === 2;
}

function hasLogprobs({ choices }: Answer): boolean {
  return choices[0]?.hasLogprobs === true;
}

function isSame(one: Answer, other: Answer | null): boolean {
  const [a, b] = [one.choices[0], other?.choices[0]];
  if (a === undefined || b === undefined) return false;
  return `${a.text}${a.reasoning}` !== "" && a.text === b.text && a.reasoning === b.reasoning;
}

function reasoningIn(answers: readonly Answer[]): string | null {
  const [first] = answers.flatMap(({ choices }) =>
    choices.flatMap(({ reasoningAt }) => (reasoningAt === null ? [] : [reasoningAt])),
  );
  return first ?? null;
}

/** Some servers count only what they had to read anew of a prompt that they saw before. */
function isCountedWhole({ usage: first }: Answer, repeated: Answer | null): boolean {
  const second = repeated?.usage ?? null;
  if (first === null || second === null) return true;
  return second.prompt >= first.prompt * 0.8;
}

function refusal(asked: Exclude<Asked, { readonly status: "answered" }>): string {
  const said = inShort(asked.message);
  return asked.status === "failed"
    ? said
    : `even a short prompt is refused with ${asked.code}: ${said}`;
}
