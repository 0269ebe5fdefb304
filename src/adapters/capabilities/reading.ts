import type { FetchRule } from "../../domain/case.ts";
import type { FetchAnswer } from "../../domain/trace.ts";
import { unrecorded, type Reply } from "./answering.ts";
import { matchTextOf, ruleFor } from "./fetch-rules.ts";
import { type FetchBounds, liveFetch } from "./live-fetch.ts";
import type { FetchCall } from "./request-args.ts";

/**
 * Asks the live world for what a case's world does not know, and keeps the answers as rules. It
 * only ever reads (GET and HEAD, granted hosts), and asks for one URL once.
 */
export class Reading {
  readonly #bounds: FetchBounds;
  readonly #asked = new Map<string, Promise<Reply>>();
  readonly #recorded: FetchRule[] = [];

  constructor(bounds: FetchBounds) {
    this.#bounds = bounds;
  }

  get recorded(): readonly FetchRule[] {
    return this.#recorded;
  }

  /** Resolves as `liveFetch` does; rejects only when aborted. */
  read(call: FetchCall, signal: AbortSignal): Reply | Promise<Reply> {
    const wanted = matchTextOf(call);
    if (call.method !== "GET" && call.method !== "HEAD") return unrecorded(wanted);
    const asked = this.#asked.get(wanted) ?? this.#ask(call, signal);
    this.#asked.set(wanted, asked);
    return asked;
  }

  async #ask(call: FetchCall, signal: AbortSignal): Promise<Reply> {
    const reply = await liveFetch(call, this.#bounds, signal);
    if (reply.status === "resolved") {
      this.#recorded.push(ruleFor(call, reply.value as FetchAnswer));
    }
    return reply;
  }
}
