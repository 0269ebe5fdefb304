import type { EndedFrame, ExecuteFrame, GuestFrame } from "../../../sandbox/isolate/protocol.ts";
import type { Request } from "../../domain/trace.ts";
import type { Delivery } from "../../ports/sandbox.ts";
import type { CallRecord } from "./call-record.ts";
import type { Guest, GuestEnd } from "./guest.ts";

/** How a guest's part in an execution ended. */
export type Fate =
  /** It ran all that it was to run. */
  | { readonly status: "done" }
  /** Its process ended: in a call, or while the program was loaded for one. */
  | {
      readonly status: "lost";
      readonly end: GuestEnd;
      readonly atLoad: boolean;
      readonly wallMs: number;
    }
  /** The host did not answer a request in the time of the call. */
  | { readonly status: "kept-waiting"; readonly wallMs: number };

/** The calls that ended, in order, and how it went on. */
export type Conversed = { readonly ended: readonly EndedFrame[]; readonly fate: Fate };

/**
 * Has a guest run the calls of an execution and answers what they ask. The time of a call is wall
 * clock from its start; it is kept by the guest for code that can be interrupted, by the pool's
 * watch for code that cannot, and here for answers that do not come. Rejects as a host does, or
 * with the signal's reason.
 */
export async function converse(
  guest: Guest,
  frame: ExecuteFrame,
  records: readonly CallRecord[],
  signal: AbortSignal,
): Promise<Conversed> {
  const ended: EndedFrame[] = [];
  let startMs = performance.now();
  let atLoad = true;
  const restart = (): void => {
    startMs = performance.now();
    guest.deadlineMs = startMs + frame.timeoutMs + guest.graceMs;
  };
  const elapsedMs = (): number => performance.now() - startMs;
  using lives = new CallLives([signal, guest.gone]);
  restart();
  guest.send(frame);
  for (;;) {
    const heard = await guest.receive();
    signal.throwIfAborted();
    switch (heard?.kind) {
      case undefined:
        return lost(ended, await guest.closed, { atLoad, wallMs: elapsedMs() });
      case "began":
        if (!atLoad) guest.kill("protocol");
        atLoad = false;
        restart();
        break;
      case "ended":
        if (ended.length === frame.calls.length) guest.kill("protocol");
        else ended.push(heard);
        lives.next();
        guest.cpuMs += heard.usage.cpuMs;
        atLoad = frame.fresh;
        restart();
        break;
      case "asks": {
        const leftMs = frame.timeoutMs - elapsedMs();
        guest.deadlineMs = Number.POSITIVE_INFINITY;
        const record = records[ended.length];
        const told = await answer({ guest, record, asked: heard, leftMs, life: lives.current });
        signal.throwIfAborted();
        if (told === "late")
          return { ended, fate: { status: "kept-waiting", wallMs: elapsedMs() } };
        guest.deadlineMs = startMs + frame.timeoutMs + guest.graceMs;
        break;
      }
      case "done":
        if (isComplete(ended, frame)) return { ended, fate: { status: "done" } };
        guest.kill("protocol");
        break;
      case "ready":
      case "sifted":
      case "wants":
      case "broke":
        guest.kill("protocol");
    }
  }
}

function lost(
  ended: readonly EndedFrame[],
  end: GuestEnd,
  { atLoad, wallMs }: { readonly atLoad: boolean; readonly wallMs: number },
): Conversed {
  return { ended, fate: { status: "lost", end, atLoad, wallMs } };
}

/** Every call has ended, or the last that did was one to stop at. */
function isComplete(ended: readonly EndedFrame[], frame: ExecuteFrame): boolean {
  const last = ended.at(-1)?.outcome.status;
  if (ended.length === frame.calls.length || last === undefined) return last !== undefined;
  return isBreak(last) || (frame.stopAtFirstThrow && last !== "returned");
}

/** The isolate cannot go on after this end. */
export function isBreak(status: EndedFrame["outcome"]["status"]): boolean {
  return status === "timed-out" || status === "out-of-memory";
}

/**
 * The time in which a call may be answered: what its host does for it, over all its turns, is given
 * up when the call ends, and not before.
 */
class CallLives implements Disposable {
  readonly #endings: readonly AbortSignal[];
  readonly #end = (): void => this.current.abort();
  current = new AbortController();

  /** All of them end where one of these signals is aborted. */
  constructor(endings: readonly AbortSignal[]) {
    this.#endings = endings;
    for (const ending of endings) ending.addEventListener("abort", this.#end, { once: true });
  }

  next(): void {
    this.current.abort();
    this.current = new AbortController();
  }

  [Symbol.dispose](): void {
    for (const ending of this.#endings) ending.removeEventListener("abort", this.#end);
    this.current.abort();
  }
}

type Asking = {
  readonly guest: Guest;
  /** None where no call is left that could ask. */
  readonly record: CallRecord | undefined;
  readonly asked: Extract<GuestFrame, { kind: "asks" }>;
  readonly leftMs: number;
  readonly life: AbortController;
};

/** Passes requests to the host and its answers to the guest. A call that has settled waits for neither. */
async function answer({ guest, record, asked, leftMs, life }: Asking): Promise<"told" | "late"> {
  if (record === undefined) {
    guest.kill("protocol");
    return "told";
  }
  const delivery = await inTime(record, asked.requests as readonly Request[], { leftMs, life });
  if (asked.settled) guest.send({ kind: "abandon" });
  else if (delivery === null) return guest.gone.aborted ? "told" : "late";
  else if (delivery.answers.length === 0) guest.send({ kind: "abandon" });
  else {
    const answers = JSON.stringify(delivery.answers);
    guest.send({ kind: "deliver", answers, now: delivery.now });
  }
  return "told";
}

/** The delivery; null when the call's life is over before it comes, or its time, which ends its life. */
async function inTime(
  record: CallRecord,
  requests: readonly Request[],
  { leftMs, life }: Pick<Asking, "leftMs" | "life">,
): Promise<Delivery | null> {
  if (life.signal.aborted) return null;
  const { promise: over, resolve } = Promise.withResolvers<null>();
  const stop = (): void => resolve(null);
  life.signal.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(() => life.abort(), Math.max(1, leftMs));
  const asking = record.next(requests, life.signal);
  // A host that hears of the end may reject when nobody waits any more.
  asking.catch(() => undefined);
  try {
    return await Promise.race([over, asking]);
  } finally {
    clearTimeout(timer);
    life.signal.removeEventListener("abort", stop);
  }
}
