import type { CaseWorld, FetchRule } from "../../domain/case.ts";
import { sameJson, type Json } from "../../domain/json.ts";
import type { Capabilities } from "../../domain/skill.ts";
import type { Answer, Request } from "../../domain/trace.ts";
import { environmentOf } from "../../domain/world.ts";
import type { RecordingHost } from "../../ports/capabilities.ts";
import type { Delivery } from "../../ports/sandbox.ts";
import {
  answerTo,
  denied,
  failed,
  malformed,
  MOST_WAITING,
  tooMany,
  resolved,
  unrecorded,
  type Reply,
} from "./answering.ts";
import type { AskModel, ModelWish } from "./ask-model.ts";
import { findRule, matchTextOf, NO_SUCH_ROUTE, replyOf } from "./fetch-rules.ts";
import { type KvState, replyFromKv } from "./kv-requests.ts";
import { type FetchCall, type Wish, wishOf } from "./request-args.ts";
import type { Reading } from "./reading.ts";
import { VirtualTime } from "./virtual-time.ts";

type Due = { readonly request: Request; readonly reply: Reply | Promise<Reply> };

/**
 * Answers from a case's world, in virtual time: a request is answered a turn after it was made plus
 * the `ticks` of its rule, a timer when nothing else is due. Requests that no rule fits are a 404,
 * or go to `reading` where there is one.
 */
export class TableHost implements RecordingHost {
  readonly #world: CaseWorld;
  readonly #granted: Capabilities;
  readonly #reading: Reading | null;
  readonly #askModel: AskModel | null;
  readonly #used: number[];
  readonly #kv: KvState;
  readonly #time = new VirtualTime<Due>();
  readonly #startMs: number;

  // oxlint-disable-next-line max-params
  constructor(
    world: CaseWorld,
    granted: Capabilities,
    reading: Reading | null,
    askModel: AskModel | null = null,
  ) {
    this.#world = world;
    this.#granted = granted;
    this.#reading = reading;
    this.#askModel = askModel;
    this.#used = (world.fetch ?? []).map(() => 0);
    this.#kv = kvInMemory(Object.entries(world.kv ?? {}));
    this.#startMs = environmentOf(world).now;
  }

  get recorded(): readonly FetchRule[] {
    return this.#reading?.recorded ?? [];
  }

  async next(requests: readonly Request[], signal: AbortSignal): Promise<Delivery> {
    signal.throwIfAborted();
    for (const request of requests) this.#start(request, signal);
    const answers = await Promise.all(this.#time.advance().map(answerOf));
    return { answers, now: this.#startMs + this.#time.elapsedMs };
  }

  #start(request: Request, signal: AbortSignal): void {
    const wish = wishOf(request);
    if (this.#time.size >= MOST_WAITING) {
      this.#time.afterTurns({ request, reply: tooMany() }, 1);
    } else if (wish?.kind === "timer") {
      this.#time.afterMs({ request, reply: resolved(null) }, wish.ms);
    } else if (wish?.kind === "fetch") {
      this.#fetch(request, wish.call, signal);
    } else {
      const reply = wish === null ? malformed(request) : this.#reply(wish, signal);
      this.#time.afterTurns({ request, reply }, 1);
    }
  }

  #fetch(request: Request, call: FetchCall, signal: AbortSignal): void {
    const rules = this.#world.fetch ?? [];
    const at = findRule(rules, this.#used, matchTextOf(call));
    const rule = rules[at];
    if (rule !== undefined) this.#used[at] = (this.#used[at] ?? 0) + 1;
    const reply = this.#fetched(call, rule, signal);
    this.#time.afterTurns({ request, reply }, 1 + Math.max(0, rule?.ticks ?? 0));
  }

  #fetched(
    call: FetchCall,
    rule: FetchRule | undefined,
    signal: AbortSignal,
  ): Reply | Promise<Reply> {
    if (this.#granted.fetch === undefined) return denied("fetch");
    if (rule !== undefined) return replyOf(rule, call);
    return this.#reading?.read(call, signal) ?? replyOf(NO_SUCH_ROUTE, call);
  }

  #reply(
    wish: Exclude<Wish, { kind: "fetch" | "timer" }>,
    signal: AbortSignal,
  ): Reply | Promise<Reply> {
    switch (wish.kind) {
      case "kv.get":
      case "kv.set":
      case "kv.delete":
      case "kv.list":
        return this.#granted.kv === true ? replyFromKv(wish, this.#kv) : denied("kv");
      case "skills.call":
        return this.#skill(wish.name, wish.input);
      case "model":
        return this.#model(wish, signal);
    }
  }

  #model(wish: ModelWish, signal: AbortSignal): Reply | Promise<Reply> {
    if (this.#granted.model !== true) return denied("model");
    const rule = this.#world.model?.find(({ prompt }) => prompt === wish.prompt);
    if (rule !== undefined) return resolved(rule.text);
    return this.#askModel?.(wish, signal) ?? unrecorded("this prompt to the model");
  }

  #skill(name: string, input: Json): Reply {
    if (this.#granted.skills?.includes(name) !== true) return denied(`the skill ${name}`);
    const { skills = {} } = this.#world;
    const rules = Object.hasOwn(skills, name) ? (skills[name] ?? []) : [];
    const rule = rules.find((rule) => sameJson(rule.input, input));
    if (rule === undefined) return unrecorded(`a call of the skill ${name} with this input`);
    return rule.error === undefined ? resolved(rule.result ?? null) : failed("Error", rule.error);
  }
}

async function answerOf({ request, reply }: Due): Promise<Answer> {
  return answerTo(request, await reply);
}

function kvInMemory(initial: readonly (readonly [string, Json])[]): KvState {
  const members = new Map(initial);
  return {
    get: (key) => members.get(key),
    set: (key, value) => void members.set(key, value),
    delete: (key) => void members.delete(key),
    list: (prefix) => [...members.keys()].filter((key) => key.startsWith(prefix)).toSorted(),
  };
}
