import type { Completion, CompletionRequest } from "../../src/domain/completion.ts";
import type { ModelCard } from "../../src/domain/model-card.ts";
import type { Model } from "../../src/ports/model.ts";

const CARD: ModelCard = {
  endpoint: "http://127.0.0.1:1/v1",
  model: "scripted",
  server: "unknown",
  mode: "json_schema",
  reasoning: null,
  contextTokens: 32_768,
  tokensPerCharacter: 0.3,
  parallel: 16,
  supports: { n: false, seed: true, logprobs: false, usage: true },
  degraded: [],
  probedAt: 0,
};

type Said = Partial<Completion> | string;
type Answer = (request: CompletionRequest, index: number) => Said | Promise<Said>;

/** A model that says what the test says, and remembers what it was asked. */
export class ScriptedModel implements Model {
  readonly asked: CompletionRequest[] = [];
  readonly #answer: Answer;
  readonly #card: ModelCard | null;

  constructor(answer: Answer, card: Partial<ModelCard> | null = {}) {
    this.#answer = answer;
    this.#card = card === null ? null : { ...CARD, ...card };
  }

  async card(): Promise<ModelCard | null> {
    return this.#card;
  }

  async complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    signal.throwIfAborted();
    this.asked.push(request);
    const answer = await unlessAborted(this.#answer(request, this.asked.length - 1), signal);
    const said = typeof answer === "string" ? { text: answer } : answer;
    const usage = { prompt: 100, completion: 10, cached: 0 };
    const whole = { text: "", reasoning: "", usage, model: "scripted", durationMs: 1, reason: "" };
    return { status: "complete", ...whole, ...said };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** As the port has it: an aborted signal rejects. */
async function unlessAborted<T>(answer: T | Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return await Promise.race([answer, promise]);
}
