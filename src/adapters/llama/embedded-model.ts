import path from "node:path";
import type { Completion, CompletionRequest } from "../../domain/completion.ts";
import type { ModelCard } from "../../domain/model-card.ts";
import { messageOf } from "../../domain/errors.ts";
import type { Model } from "../../ports/model.ts";
import { ModelChild } from "./model-child.ts";
import { cardOf, completionOf } from "./outcome.ts";
import type { Answer, Asked, ModelFacts } from "./protocol.ts";

export type EmbeddedSettings = {
  /** Path of the GGUF file. */
  readonly gguf: string;
  /** Longest time for one completion once it is begun, in milliseconds. */
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** Longest time for loading the model, in milliseconds. */
  readonly loadMs?: number;
  /** Time without a request after which the model's memory is given back, in milliseconds. */
  readonly idleMs?: number;
  /** Requests generated side by side; null: by the device. */
  readonly sequences?: number | null;
};

/** An embedded model, with what tests and `hone doctor` look at. */
export type EmbeddedModel = Model & {
  readonly pid: number | undefined;
  /** Why the model could not be loaded the last time; empty: it could. */
  readonly problem: string;
};

/**
 * A GGUF file that hone runs itself, in a process of its own that is started with the first request
 * and ended when there was none for long. A process that is lost costs the requests at work an
 * `unreachable`; those that wait go to the next one.
 */
export function createEmbeddedModel(settings: EmbeddedSettings): EmbeddedModel {
  return new Embedded(settings);
}

/** A generation that does not end within this, in milliseconds, ends with its process. */
const STOP_WITHIN_MS = 2_000;

type Job = {
  readonly id: number;
  readonly asked: Asked;
  readonly calledAt: number;
  readonly resolve: (completion: Completion) => void;
  /** Of the kill that follows when it is to stop and does not, or takes too long. */
  timer: NodeJS.Timeout | undefined;
  /** Nobody waits for it any more. */
  isLeft: boolean;
};

class Embedded implements EmbeddedModel {
  problem = "";
  readonly #settings: EmbeddedSettings;
  readonly #waiting: Job[] = [];
  readonly #working = new Map<number, Job>();
  readonly #ended: (() => void)[] = [];
  #child: ModelChild | null = null;
  #facts: ModelFacts | null = null;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 0;
  /** The request for whose sake the process was killed. */
  #culprit: Job | null = null;
  #isDisposed = false;

  constructor(settings: EmbeddedSettings) {
    this.#settings = { ...settings, gguf: path.resolve(settings.gguf) };
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async card(signal: AbortSignal): Promise<ModelCard | null> {
    signal.throwIfAborted();
    const facts = this.#facts ?? (await unlessAborted(this.#load(), signal));
    if (this.#working.size + this.#waiting.length === 0) this.#rest();
    return facts === null ? null : cardOf(this.#settings.gguf, facts, this.#settings.now());
  }

  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const { promise, resolve, reject } = Promise.withResolvers<Completion>();
    const abort = (): void => {
      reject(signal.reason);
      this.#leave(job);
    };
    const job: Job = {
      id: (this.#nextId += 1),
      asked: askedOf(request),
      calledAt: this.#settings.now(),
      resolve: (completion) => {
        signal.removeEventListener("abort", abort);
        resolve(completion);
      },
      timer: undefined,
      isLeft: false,
    };
    signal.addEventListener("abort", abort, { once: true });
    this.#waiting.push(job);
    this.#work();
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.problem = "the model was closed";
    clearTimeout(this.#idle);
    if (this.#child === null) return this.#failAll(this.problem);
    await new Promise<void>((resolve) => {
      this.#ended.push(resolve);
      this.#child?.kill(this.problem);
    });
  }

  /** Gives the process what waits, as far as it works side by side. */
  #work(): void {
    clearTimeout(this.#idle);
    void this.#load().then((facts) => {
      const child = this.#child;
      if (facts === null || child === null) return this.#failAll(this.problem);
      while (this.#working.size < facts.parallel) {
        const job = this.#waiting.shift();
        if (job === undefined) break;
        this.#working.set(job.id, job);
        const { timeoutMs } = this.#settings;
        this.#killAfter(timeoutMs, job, `it gave no answer in ${timeoutMs} ms`);
        child.complete(job.id, job.asked);
      }
      if (this.#working.size + this.#waiting.length === 0) this.#rest();
    });
  }

  /** The facts of the model, which is loaded then; null where it cannot be. */
  async #load(): Promise<ModelFacts | null> {
    if (this.#isDisposed) return null;
    this.#child ??= this.#start();
    const child = this.#child;
    child.hold(true);
    try {
      this.#facts = await child.loaded;
      this.problem = "";
      return this.#facts;
    } catch (thrown) {
      this.problem = messageOf(thrown);
      return null;
    }
  }

  #start(): ModelChild {
    const { gguf, env, sequences = null, loadMs = 600_000 } = this.#settings;
    const child: ModelChild = new ModelChild(
      { gguf, env, sequences },
      {
        answered: (id, answer) => this.#settle(id, answer),
        stopped: (id) => this.#settle(id, { status: "failed", reason: "it was stopped" }),
        lost: (reason) => this.#lost(child, reason),
      },
    );
    const late = setTimeout(() => child.kill(`it was not loaded in ${loadMs} ms`), loadMs);
    const loaded = (): void => clearTimeout(late);
    child.loaded.then(loaded, loaded);
    return child;
  }

  #settle(id: number, answer: Answer): void {
    const job = this.#working.get(id);
    if (job === undefined) return;
    this.#working.delete(id);
    this.#answer(job, answer);
    this.#work();
  }

  #answer(job: Job, answer: Answer): void {
    clearTimeout(job.timer);
    if (job.isLeft) return;
    const { gguf, now } = this.#settings;
    job.resolve(completionOf(answer, { gguf, facts: this.#facts, ms: now() - job.calledAt }));
  }

  /** The signal of a request came: what generates it stops, gently or with its process. */
  #leave(job: Job): void {
    job.isLeft = true;
    const at = this.#waiting.indexOf(job);
    if (at >= 0) this.#waiting.splice(at, 1);
    if (!this.#working.has(job.id)) return;
    this.#child?.stop(job.id);
    // Between two tokens it stops by itself; a long prompt that is being read does not.
    this.#killAfter(STOP_WITHIN_MS, job, "a request would not stop");
  }

  #killAfter(ms: number, job: Job, reason: string): void {
    clearTimeout(job.timer);
    job.timer = setTimeout(() => {
      this.#culprit = job;
      this.#child?.kill(reason);
    }, ms);
  }

  #lost(child: ModelChild, reason: string): void {
    if (child !== this.#child) return;
    this.#child = null;
    const culprit = this.#culprit;
    this.#culprit = null;
    for (const job of this.#working.values()) {
      clearTimeout(job.timer);
      // Killed for the sake of another request: this one begins again.
      if (culprit !== null && job !== culprit && !job.isLeft) this.#waiting.unshift(job);
      else this.#answer(job, { status: "failed", reason });
    }
    this.#working.clear();
    for (const ended of this.#ended) ended();
    if (this.#isDisposed || !child.isLoaded) this.#failAll(reason);
    else if (this.#waiting.length > 0) this.#work();
  }

  #failAll(reason: string): void {
    for (const job of this.#waiting.splice(0)) this.#answer(job, { status: "failed", reason });
  }

  /** A model is worth its memory only while there is work. */
  #rest(): void {
    const child = this.#child;
    if (child === null) return;
    child.hold(false);
    clearTimeout(this.#idle);
    const { idleMs = 600_000 } = this.#settings;
    this.#idle = setTimeout(() => child.kill("it had nothing to do"), idleMs).unref();
  }
}

/** Who pays for it is no business of the process. */
function askedOf(request: CompletionRequest): Asked {
  const { messages, answerSchema, temperature, seed, maxTokens } = request;
  return { messages, answerSchema, temperature, seed, maxTokens };
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
