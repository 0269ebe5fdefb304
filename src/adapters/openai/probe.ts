import type { CompletionRequest, Message, TokenUsage } from "../../domain/completion.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { ModelCard } from "../../domain/model-card.ts";
import type { Meter } from "../../ports/model.ts";
import type { Asked, Client } from "./client.ts";
import { degradations } from "./degraded.ts";
import { inShort } from "./find-endpoint.ts";
import { probeContext, type ProbedContext } from "./probe-context.ts";
import { wordsPrompt, type ProbeAsk } from "./probe-prompts.ts";
import { probeStructured } from "./probe-structured.ts";
import { answerIn, readAnswer, type Answer } from "./read-answer.ts";
import { askSideDoors, type Told } from "./side-doors.ts";
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
  /** `unusable`: it is there, and refuses whatever it is asked. */
  | { readonly status: "unreachable" | "unusable"; readonly reason: string };

/** Time for one request of the probe: a prompt of some thousand tokens on a slow machine. */
const LIMIT_MS = 120_000;

/** Requests in flight for servers that do not say; those that batch continuously take more. */
const PARALLEL: Readonly<Record<string, number>> = { vllm: 16, sglang: 16 };
const PARALLEL_ELSE = 4;
const MOST_PARALLEL = 64;

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
    meter = unmetered,
  }: {
    readonly now: () => number;
    readonly loadingMs: number;
    readonly timeoutMs: number;
    /** Counts the requests; absent: they are in no budget. */
    readonly meter?: Meter;
  },
  signal: AbortSignal,
): Promise<ProbeResult> {
  const prober = proberOf(subject, { limitMs: Math.min(LIMIT_MS, timeoutMs), meter }, signal);
  const first = await waitWhileLoading(
    async () => await prober.ask(...WORDS),
    { isLoading, now, limitMs: loadingMs },
    signal,
  );
  if (first.status !== "answered") {
    const isThere = first.status === "refused" && prober.troubles.length === 0;
    return { status: isThere ? "unusable" : "unreachable", reason: refusal(first) };
  }
  prober.troubles.length = 0;
  const told = await askSideDoors(subject.client, subject, signal);
  const findings = await findingsOf(prober.ask, readAnswer(first.answer), { told, now });
  // Half a probe would make a poor card, and be believed for a day.
  const [trouble] = prober.troubles;
  if (trouble !== undefined) return { status: "unreachable", reason: trouble };
  const { baseUrl: endpoint, model } = subject;
  const { structured, countsCached, context, ...found } = findings;
  const { tokens: contextTokens, tokensPerCharacter } = context;
  const parallel = told.parallel ?? PARALLEL[told.server] ?? PARALLEL_ELSE;
  const known = {
    endpoint,
    model,
    server: told.server,
    mode: structured.mode,
    ...found,
    contextTokens,
    tokensPerCharacter,
    parallel: Math.min(MOST_PARALLEL, parallel),
    probedAt: now(),
  };
  const isTold = told.contextTokens !== null;
  const degraded = degradations(known, { context, countsCached, isTold });
  return { status: "probed", probed: { card: { ...known, degraded }, structured, countsCached } };
}

/** What the words are asked for with: equal seeds may give equal ones. */
const WORDS = [wordsPrompt(), 32, { seed: 7, temperature: 1 }] as const;

type Findings = Pick<ModelCard, "reasoning" | "supports"> & {
  readonly structured: Structured;
  readonly countsCached: boolean;
  readonly context: ProbedContext;
};

/** What the endpoint's answers show, one request after the other. */
async function findingsOf(
  ask: ProbeAsk,
  words: Answer,
  { told, now }: { readonly told: Told; readonly now: () => number },
): Promise<Findings> {
  const repeated = answerIn(await ask(...WORDS));
  const countsCached = isCountedWhole(words, repeated);
  const extras = await probeExtras(ask);
  const { structured, answers } = await probeStructured(ask);
  const context = await probeContext(ask, { told: told.contextTokens, countsCached, now });
  const supports = { ...extras, seed: isSame(words, repeated), usage: words.usage !== null };
  return {
    structured,
    countsCached,
    context,
    reasoning: reasoningIn([words, ...answers]),
    supports,
  };
}

/** Asks for the probe, and notes each request that says nothing of what the endpoint can do. */
function proberOf(
  { client, model }: Subject,
  { limitMs, meter }: { readonly limitMs: number; readonly meter: Meter },
  signal: AbortSignal,
): { readonly ask: ProbeAsk; readonly troubles: string[] } {
  const troubles: string[] = [];
  const ask: ProbeAsk = async (messages, maxTokens, more = {}) => {
    const body = requestOf(model, messages, maxTokens, more);
    const request = { model, tokens: tokensFor(messages, maxTokens, more), longestMs: limitMs };
    const told = await meter(request, async () => {
      const answer = await client.ask(body, signal, limitMs);
      return { answer, usage: usageIn(answer) };
    });
    const asked: Asked =
      typeof told === "string" ? { status: "failed", fault: "broken", message: told } : told;
    const isTrouble =
      asked.status === "failed"
        ? asked.fault !== "late"
        : asked.status === "refused" && (isLoading(asked) || TRANSIENT.includes(asked.code));
    if (asked.status !== "answered" && isTrouble) troubles.push(refusal(asked));
    return asked;
  };
  return { ask, troubles };
}

const unmetered: Meter = async (_request, ask) => (await ask()).answer;

/** Tokens that a request takes at most, by its characters: two of them are one at the least. */
function tokensFor(messages: readonly Message[], maxTokens: number, more: JsonObject): number {
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
  const answers = typeof more["n"] === "number" ? more["n"] : 1;
  return Math.ceil(characters / 2) + answers * maxTokens;
}

/** What is refused, or reaches nobody, costs nothing; what is late may have cost it all. */
function usageIn(asked: Asked): TokenUsage | null {
  if (asked.status === "answered") return readAnswer(asked.answer).usage;
  const isUnsent = asked.status === "refused" || asked.fault === "refused";
  return isUnsent ? { prompt: 0, completion: 0, cached: 0 } : null;
}

/** Statuses that speak of the moment or of the key, not of what was asked. */
const TRANSIENT = [401, 403, 408, 429];

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
