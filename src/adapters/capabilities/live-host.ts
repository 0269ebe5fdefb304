import { HoneError } from "../../domain/errors.ts";
import type { Capabilities } from "../../domain/skill.ts";
import type { Answer, Request } from "../../domain/trace.ts";
import type { SkillCaller } from "../../ports/capabilities.ts";
import type { CapabilityHost, Delivery } from "../../ports/sandbox.ts";
import { answerTo, denied, failedWith, malformed, resolved, type Reply } from "./answering.ts";
import { type KvState, replyFromKv } from "./kv-requests.ts";
import { FETCH_BOUNDS, type FetchBounds, liveFetch } from "./live-fetch.ts";
import { type Wish, wishOf } from "./request-args.ts";

/** The real world, as one running skill reaches it. */
export type LiveWorld = {
  readonly kv: KvState;
  readonly callSkill: SkillCaller;
  readonly fetch: typeof fetch;
  readonly now: () => number;
};

/**
 * Answers from the real world, within the grants. All requests start at once; `next` resolves with
 * what has settled, in the order of settling. It rejects when the signal is aborted or when hone's
 * own store or sandbox fails.
 */
export class LiveHost implements CapabilityHost {
  readonly #granted: Capabilities;
  readonly #world: LiveWorld;
  readonly #timers = new Set<NodeJS.Timeout>();
  #settled: Answer[] = [];
  #fault: { readonly thrown: unknown } | null = null;
  #pending = 0;
  #latest: number;
  #wake: () => void = () => {};

  constructor(granted: Capabilities, world: LiveWorld) {
    this.#granted = granted;
    this.#world = world;
    this.#latest = world.now();
  }

  async next(requests: readonly Request[], signal: AbortSignal): Promise<Delivery> {
    signal.throwIfAborted();
    for (const request of requests) this.#start(request, signal);
    if (this.#settled.length === 0 && this.#fault === null && this.#pending > 0) {
      await this.#firstSettled(signal);
    }
    if (this.#fault !== null) throw this.#fault.thrown;
    const answers = this.#settled;
    this.#settled = [];
    this.#latest = Math.max(this.#latest, this.#world.now());
    return { answers, now: this.#latest };
  }

  #start(request: Request, signal: AbortSignal): void {
    const wish = wishOf(request);
    const reply = wish === null ? malformed(request) : this.#reply(wish, signal);
    if (!(reply instanceof Promise)) {
      this.#settled.push(answerTo(request, reply));
      return;
    }
    this.#pending += 1;
    reply
      .then(
        (settled) => this.#settled.push(answerTo(request, settled)),
        (thrown: unknown) => (this.#fault ??= { thrown }),
      )
      .finally(() => {
        this.#pending -= 1;
        this.#wake();
      });
  }

  #reply(wish: Wish, signal: AbortSignal): Reply | Promise<Reply> {
    const { fetch: hosts, kv, skills } = this.#granted;
    switch (wish.kind) {
      case "fetch":
        if (hosts === undefined) return denied("fetch");
        return liveFetch(wish.call, this.#bounds(hosts), signal);
      case "kv.get":
      case "kv.set":
      case "kv.delete":
      case "kv.list":
        return kv === true ? replyFromKv(wish, this.#world.kv) : denied("kv");
      case "timer":
        return this.#timer(wish.ms);
      case "skills.call":
        if (skills?.includes(wish.name) !== true) return denied(`the skill ${wish.name}`);
        return this.#call(wish, signal);
    }
  }

  #bounds(granted: readonly string[]): FetchBounds {
    return { granted, fetch: this.#world.fetch, ...FETCH_BOUNDS };
  }

  /** A timer holds the process only while somebody waits for it. */
  #timer(ms: number): Promise<Reply> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve(resolved(null));
      }, ms).unref();
      this.#timers.add(timer);
    });
  }

  async #call(
    { name, input }: Extract<Wish, { kind: "skills.call" }>,
    signal: AbortSignal,
  ): Promise<Reply> {
    try {
      return resolved(await this.#world.callSkill(name, input, signal));
    } catch (thrown) {
      signal.throwIfAborted();
      if (isFaultOfOurs(thrown)) throw thrown;
      return failedWith(thrown);
    }
  }

  async #firstSettled(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    this.#wake = resolve;
    for (const timer of this.#timers) timer.ref();
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", abort);
      for (const timer of this.#timers) timer.unref();
    }
  }
}

/** Errors of the world that the called skill could not have caused. */
function isFaultOfOurs(thrown: unknown): boolean {
  return (
    thrown instanceof HoneError &&
    (thrown.code === "sandbox-unavailable" || thrown.code === "store-failed")
  );
}
