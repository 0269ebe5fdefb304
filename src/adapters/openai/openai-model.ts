import type { Completion, CompletionRequest } from "../../domain/completion.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { ModelCard } from "../../domain/model-card.ts";
import type { ModelState, WatchedModel } from "../../ports/model.ts";
import type { Asked } from "./client.ts";
import { placesFor } from "./find-endpoint.ts";
import { createInFlight, type InFlight } from "./in-flight.ts";
import { createKnowledge, type Knowledge, type Known, type KnowledgeOptions } from "./knowledge.ts";
import { isLoading } from "./loading.ts";
import { outcomeOf } from "./outcome.ts";
import { answerRoom, promptSize, type PromptSize } from "./prompt-size.ts";
import { createStrikes } from "./strikes.ts";
import { formatOf, type Structured } from "./structured.ts";

export type OpenAiModelOptions = Pick<
  KnowledgeOptions,
  "exchange" | "key" | "meter" | "notes" | "now"
> & {
  readonly settings: {
    readonly use: string;
    /** Base URL, with `/v1`; empty with `auto`. */
    readonly url: string;
    readonly name: string;
    /** Time for one completion. */
    readonly timeoutMs: number;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ports of this machine that `auto` looks at; by default the usual ones. */
  readonly ports?: readonly number[];
  /** Time that a model may take to be loaded before it is unreachable, in ms; 10 minutes. */
  readonly loadingMs?: number;
};

const LOADING_MS = 600_000;

/** A pause where a server refuses for overload and names none, and the shortest that is believed. */
const PAUSE_MS = 1_000;
const SHORTEST_PAUSE_MS = 250;

/**
 * A model behind an OpenAI-compatible server, as the npm package `openai` talks with it. The first
 * call finds the server, waits while its model loads, and probes it once (see `probe`); then each
 * completion is one request. Throws `bad-config` for an address that cannot be one.
 */
export function createOpenAiModel(options: OpenAiModelOptions): WatchedModel {
  return new OpenAiModel(options);
}

class OpenAiModel implements WatchedModel {
  readonly #now: () => number;
  readonly #timeoutMs: number;
  readonly #knowledge: Knowledge;
  readonly #inFlight: InFlight;
  readonly #strikes = createStrikes();
  #most = 1;

  constructor(options: OpenAiModelOptions) {
    const { settings, env, now, ports, loadingMs = LOADING_MS } = options;
    const { name, timeoutMs } = settings;
    const places = placesFor(settings, env, ports);
    this.#now = now;
    this.#timeoutMs = timeoutMs;
    this.#knowledge = createKnowledge({ ...options, places, name, timeoutMs, loadingMs });
    this.#inFlight = createInFlight(() => this.#most, now);
  }

  async card(signal: AbortSignal): Promise<ModelCard | null> {
    const known = await this.#knowledge.know(signal);
    return known.status === "known" ? known.probed.card : null;
  }

  async state(signal: AbortSignal): Promise<ModelState> {
    return await this.#knowledge.state(signal);
  }

  async complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    const startedAt = this.#now();
    const known = await this.#knowledge.know(signal);
    const passedMs = (): number => this.#now() - startedAt;
    if (known.status !== "known") {
      const durationMs = passedMs();
      return { status: "unreachable", reason: known.reason, durationMs, isUnsent: true };
    }
    const { card } = known.probed;
    this.#most = card.parallel;
    const size = promptSize(request, card);
    const maxTokens = answerRoom(size, card, request.maxTokens);
    if (maxTokens === null) {
      const reason = `a prompt of about ${size.estimate} tokens and an answer of ${request.maxTokens} do not fit into the context of ${card.contextTokens} tokens`;
      return { status: "rejected", reason, durationMs: passedMs(), isUnsent: true };
    }
    using place = await this.#inFlight.enter(signal);
    if (place === null) {
      const retryAfterMs = this.#inFlight.pausedMs();
      const reason = `${card.endpoint} wants no request for another ${Math.ceil(retryAfterMs / 1_000)} s`;
      const unsent = { status: "unreachable", reason, isUnsent: true } as const;
      return { ...unsent, durationMs: passedMs(), retryAfterMs };
    }
    return await this.#send({ request: { ...request, maxTokens }, size }, known, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#knowledge[Symbol.dispose]();
  }

  /** The one request. */
  async #send(
    { request, size }: { readonly request: CompletionRequest; readonly size: PromptSize },
    known: Extract<Known, { readonly status: "known" }>,
    signal: AbortSignal,
  ): Promise<Completion> {
    const { probed, subject } = known;
    const { estimate, least: leastTokens } = size;
    const body = bodyOf(request, subject.model, probed.structured);
    const sentAt = this.#now();
    const asked = await subject.client.ask(body, signal, this.#timeoutMs);
    const durationMs = this.#now() - sentAt;
    if (asked.status === "answered") this.#inFlight.went();
    if (isOverload(asked)) {
      this.#inFlight.tooMuch(Math.max(SHORTEST_PAUSE_MS, asked.retryAfterMs ?? PAUSE_MS));
    }
    if (isDoubtful(asked)) this.#knowledge.doubt();
    const weakened = request.answerSchema === null ? null : this.#strikes.note(asked, probed);
    if (weakened !== null) this.#knowledge.correct(subject, weakened);
    const { maxTokens } = request;
    return outcomeOf(asked, { estimate, leastTokens, maxTokens, durationMs }, probed);
  }
}

function bodyOf(
  { messages, temperature, seed, maxTokens, answerSchema }: CompletionRequest,
  model: string,
  structured: Structured,
): JsonObject {
  return {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    temperature,
    seed,
    max_tokens: maxTokens,
    stream: false,
    ...formatOf(answerSchema, structured),
  };
}

type Refusal = Extract<Asked, { readonly status: "refused" }>;

function isOverload(asked: Asked): asked is Refusal {
  return asked.status === "refused" && (asked.code === 429 || asked.code === 503);
}

/** Whether the server may be gone, or may be another one by now. */
function isDoubtful(asked: Asked): boolean {
  if (asked.status === "failed") return asked.fault !== "late";
  return asked.status === "refused" && (isLoading(asked) || [401, 403, 404].includes(asked.code));
}
