import { HoneError } from "../../domain/errors.ts";
import type { Capabilities } from "../../domain/skill.ts";
import type { Answer, Request } from "../../domain/trace.ts";
import type { SkillCaller } from "../../ports/capabilities.ts";
import type { CapabilityHost, Delivery } from "../../ports/sandbox.ts";
import type { Secrets } from "../../ports/secrets.ts";
import type { WebFetch } from "../../ports/web.ts";
import {
  answerTo,
  denied,
  failedWith,
  malformed,
  MOST_WAITING,
  type Reply,
  resolved,
  tooMany,
} from "./answering.ts";
import { type AskModel } from "./ask-model.ts";
import { atMost } from "./at-most.ts";
import { type KvState, replyFromKv } from "./kv-requests.ts";
import { FETCH_BOUNDS, liveFetch } from "./live-fetch.ts";
import { LiveTimers } from "./live-timers.ts";
import { secretHeaders } from "./secret-headers.ts";
import { type Wish, wishOf } from "./request-args.ts";

/** The real world, as one running skill reaches it. */
export type LiveWorld = {
  readonly kv: KvState;
  readonly callSkill: SkillCaller;
  readonly fetch: WebFetch;
  readonly askModel: AskModel;
  readonly secrets: Secrets;
  readonly now: () => number;
};

/** Fetches of one run that are on their way at a time. */
const MOST_FETCHES = 32;

type WishOf<K> = Extract<Wish, { readonly kind: K }>;

/**
 * Answers from the real world, within the grants. All requests start at once; `next` resolves with
 * what has settled, in the order of settling. It rejects when the signal is aborted or when hone's
 * own store or sandbox fails.
 */
export class LiveHost implements CapabilityHost {
  readonly #granted: Capabilities;
  readonly #world: LiveWorld;
  readonly #timers = new LiveTimers<Request>();
  readonly #oneOfSome = atMost(MOST_FETCHES);
  #settled: { readonly answer: Answer; readonly at: number }[] = [];
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
    this.#collectTimers();
    while (this.#settled.length === 0 && this.#fault === null && this.#isWaiting()) {
      await this.#somethingSettles(signal);
      this.#collectTimers();
    }
    if (this.#fault !== null) throw this.#fault.thrown;
    const answers = this.#settled.toSorted((a, b) => a.at - b.at).map(({ answer }) => answer);
    this.#settled = [];
    this.#latest = Math.max(this.#latest, this.#world.now());
    return { answers, now: this.#latest };
  }

  #start(request: Request, signal: AbortSignal): void {
    const wish = wishOf(request);
    if (this.#pending + this.#timers.size >= MOST_WAITING) this.#settle(request, tooMany());
    else if (wish === null) this.#settle(request, malformed(request));
    else if (wish.kind === "timer") this.#timers.add(request, wish.ms);
    else this.#reply(request, wish, signal);
  }

  #reply(request: Request, wish: Exclude<Wish, WishOf<"timer">>, signal: AbortSignal): void {
    switch (wish.kind) {
      case "fetch":
        return this.#follow(request, this.#fetch(wish, signal), signal);
      case "model": {
        const isGranted = this.#granted.model === true;
        const reply = isGranted ? this.#world.askModel(wish, signal) : denied("model");
        return this.#follow(request, Promise.resolve(reply), signal);
      }
      case "skills.call":
        return this.#follow(request, this.#call(wish, signal), signal);
      case "kv.get":
      case "kv.set":
      case "kv.delete":
      case "kv.list": {
        const isGranted = this.#granted.kv === true;
        return this.#settle(request, isGranted ? replyFromKv(wish, this.#world.kv) : denied("kv"));
      }
    }
  }

  async #fetch({ call }: WishOf<"fetch">, signal: AbortSignal): Promise<Reply> {
    const granted = this.#granted.fetch;
    if (granted === undefined) return denied("fetch");
    const secrets = secretHeaders(this.#granted.secrets, this.#world.secrets);
    const bounds = { granted, fetch: this.#world.fetch, secrets, ...FETCH_BOUNDS };
    return this.#oneOfSome(() => liveFetch(call, bounds, signal));
  }

  async #call({ name, input }: WishOf<"skills.call">, signal: AbortSignal): Promise<Reply> {
    if (this.#granted.skills?.includes(name) !== true) return denied(`the skill ${name}`);
    try {
      return resolved(await this.#world.callSkill(name, input, signal));
    } catch (thrown) {
      signal.throwIfAborted();
      if (isFaultOfOurs(thrown)) throw thrown;
      return failedWith(thrown);
    }
  }

  #follow(request: Request, reply: Promise<Reply>, signal: AbortSignal): void {
    this.#pending += 1;
    void reply
      .then(
        (settled) => this.#settle(request, settled),
        (thrown: unknown) => {
          // What was given up with its call is no fault of the world.
          if (!signal.aborted) this.#fault ??= { thrown };
        },
      )
      .finally(() => {
        this.#pending -= 1;
        this.#wake();
      });
  }

  #settle(request: Request, reply: Reply, at = performance.now()): void {
    this.#settled.push({ answer: answerTo(request, reply), at });
  }

  #collectTimers(): void {
    for (const { thing, dueAt } of this.#timers.take()) this.#settle(thing, resolved(null), dueAt);
  }

  #isWaiting(): boolean {
    return this.#pending + this.#timers.size > 0;
  }

  async #somethingSettles(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    this.#wake = resolve;
    using _timer = this.#timers.wait(resolve);
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", abort);
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
