import type { Completion } from "../../domain/completion.ts";
import type { ModelCard } from "../../domain/model-card.ts";
import type { ModelState, WatchedModel } from "../../ports/model.ts";

type Options = {
  /** Milliseconds on a clock that is never put back. */
  readonly now: () => number;
  /** Told when it is let be for a while, and when it answers again. */
  readonly tell?: (
    kind: string,
    detail: { readonly reason: string; readonly pauseMs: number },
  ) => void;
};

/** Requests in a row without an answer after which a model is let be. */
const MOST_FAILURES = 3;

/** Pauses double, from one second to ten minutes. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 600_000;

/** Comebacks in a row that are believed at sight; then a pause is waited for to its end. */
const MOST_COMEBACKS = 3;

/**
 * A model that is let be for a while where it does not answer: after a few failures in a row nothing
 * is sent until a pause is over, and then one request alone, by which the others go (circuit breaker:
 * Nygard, "Release It!", 2007). Pauses grow until it answers; one whose endpoint was gone and is back
 * is asked at once. What it never got is `unreachable`.
 */
export function breaking(model: WatchedModel, options: Options): WatchedModel {
  return new BreakingModel(model, options);
}

type Entry =
  | { readonly status: "free" }
  | { readonly status: "trial"; readonly end: () => void }
  | { readonly status: "refused"; readonly leftMs: number };

class BreakingModel implements WatchedModel {
  readonly #model: WatchedModel;
  readonly #options: Options;
  #failures = 0;
  #isOpen = false;
  /** Pauses in a row, each longer than the one before. */
  #pauses = 0;
  #openUntil = 0;
  #reason = "";
  /** The endpoint itself was seen to be gone since it was let be. */
  #wasGone = false;
  #trial: Promise<void> | null = null;

  constructor(model: WatchedModel, options: Options) {
    this.#model = model;
    this.#options = options;
  }

  async card(signal: AbortSignal): Promise<ModelCard | null> {
    const entry = await this.#enter(signal);
    if (entry.status === "refused") return null;
    try {
      const card = await this.#model.card(signal);
      if (card !== null) return card;
      this.#failed(entry, "its endpoint does not answer");
      this.#wasGone = true;
      return null;
    } finally {
      if (entry.status === "trial") entry.end();
    }
  }

  async complete(
    request: Parameters<WatchedModel["complete"]>[0],
    signal: AbortSignal,
  ): Promise<Completion> {
    const entry = await this.#enter(signal);
    if (entry.status === "refused") return this.#refusal(entry.leftMs);
    try {
      const completion = await this.#model.complete(request, signal);
      this.#learn(entry, completion);
      return completion;
    } finally {
      if (entry.status === "trial") entry.end();
    }
  }

  async state(signal: AbortSignal): Promise<ModelState> {
    const state = await this.#model.state(signal);
    if (!this.#isOpen) return state;
    if (state.status !== "ready") {
      this.#wasGone = true;
      return state;
    }
    if (this.#wasGone && this.#pauses <= MOST_COMEBACKS) {
      this.#openUntil = this.#options.now();
      return state;
    }
    return { status: "llm_unreachable", reason: this.#refusal(this.#leftMs()).reason };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#model[Symbol.asyncDispose]();
  }

  /** Whoever comes while another tries it out waits for what comes of that. */
  async #enter(signal: AbortSignal): Promise<Entry> {
    while (this.#isOpen) {
      if (this.#trial !== null) {
        await orAborted(this.#trial, signal);
        continue;
      }
      const leftMs = this.#leftMs();
      if (leftMs > 0) return { status: "refused", leftMs };
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#trial = promise;
      const end = (): void => {
        this.#trial = null;
        resolve();
      };
      return { status: "trial", end };
    }
    return { status: "free" };
  }

  #learn(entry: Entry, completion: Completion): void {
    // Neither says whether it answers: nothing was sent, or it said itself when it wants to be asked.
    if (completion.status === "over-budget") return;
    if (completion.status !== "unreachable") this.#answered();
    else if (completion.retryAfterMs === undefined) this.#failed(entry, completion.reason);
  }

  #answered(): void {
    const wasOpen = this.#isOpen;
    this.#failures = 0;
    this.#pauses = 0;
    this.#isOpen = false;
    this.#wasGone = false;
    if (wasOpen) this.#options.tell?.("model.answers", { reason: "it answers again", pauseMs: 0 });
  }

  /** A request that was sent before it was let be says no more than was known then. */
  #failed({ status }: Entry, reason: string): void {
    if (this.#isOpen && status !== "trial") return;
    this.#failures += 1;
    this.#reason = reason;
    if (status !== "trial" && this.#failures < MOST_FAILURES) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#pauses);
    this.#failures = 0;
    this.#pauses += 1;
    this.#isOpen = true;
    this.#wasGone = false;
    this.#openUntil = this.#options.now() + pauseMs;
    this.#options.tell?.("model.unreachable", { reason, pauseMs });
  }

  #leftMs(): number {
    return Math.max(0, this.#openUntil - this.#options.now());
  }

  #refusal(
    leftMs: number,
  ): Extract<Completion, { readonly status: "unreachable" | "rejected" | "over-budget" }> {
    const when = leftMs === 0 ? "with the next request" : `in ${Math.ceil(leftMs / 1_000)} s`;
    const reason = `it did not answer, and is asked again ${when}: ${this.#reason}`;
    return { status: "unreachable", reason, durationMs: 0, retryAfterMs: leftMs };
  }
}

async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
