import { setTimeout as pause } from "node:timers/promises";
import type { FetchRule } from "../../domain/case.ts";
import { isComeBackLater, type FetchAnswer } from "../../domain/trace.ts";
import { unreachable, unrecorded, type Reply } from "./answering.ts";
import { matchTextOf, ruleFor } from "./fetch-rules.ts";
import { type FetchBounds, liveFetch } from "./live-fetch.ts";
import type { FetchCall } from "./request-args.ts";
import type { RecentAnswers } from "./recent-answers.ts";

/** Waits for a server that is asked too often, in sum: well within the limits of a run. */
const MOST_PATIENCE_MS = 3_000;

/** The wait where an answer does not say how long. */
const USUAL_WAIT_MS = 1_000;

/**
 * Asks the live world for what a case's world does not know, and keeps the answers as rules. It
 * only ever reads (GET and HEAD, granted hosts), and asks for one URL once, for all cases that want
 * it at about the same time. Where the server wants to be asked later it does so, for a while; then
 * it is out of reach: a candidate is judged by what a server says, not by how busy it is.
 */
export class Reading {
  readonly #bounds: FetchBounds;
  readonly #recent: RecentAnswers;
  readonly #asked = new Map<string, Promise<Reply>>();
  readonly #recorded: FetchRule[] = [];

  constructor(bounds: FetchBounds, recent: RecentAnswers) {
    this.#bounds = bounds;
    this.#recent = recent;
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
    const wanted = matchTextOf(call);
    const known = this.#recent.get(wanted);
    const reply = known ?? (await patiently(call, this.#bounds, signal));
    if (reply.status !== "resolved") return reply;
    const answer = reply.value as FetchAnswer;
    if (isComeBackLater(answer)) {
      return unreachable(`fetch failed: ${answer.status}, however often it was asked`);
    }
    if (known === undefined) this.#recent.set(wanted, reply);
    this.#recorded.push(ruleFor(call, answer));
    return reply;
  }
}

async function patiently(
  call: FetchCall,
  bounds: FetchBounds,
  signal: AbortSignal,
): Promise<Reply> {
  let waitedMs = 0;
  for (;;) {
    const reply = await liveFetch(call, bounds, signal);
    const waitMs = reply.status === "resolved" ? waitOf(reply.value as FetchAnswer) : null;
    if (waitMs === null || waitedMs + waitMs > MOST_PATIENCE_MS) return reply;
    await pause(waitMs, undefined, { signal });
    waitedMs += waitMs;
  }
}

/** How long a server wants not to be asked, by `Retry-After` in seconds; null where it does not say. */
function waitOf(answer: FetchAnswer): number | null {
  if (!isComeBackLater(answer)) return null;
  const asked = answer.headers["retry-after"] ?? "";
  return /^\d+$/.test(asked) ? Math.max(50, Number(asked) * 1_000) : USUAL_WAIT_MS;
}
