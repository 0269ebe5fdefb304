import type { EndedFrame, ExecuteFrame, GuestFrame } from "../../../sandbox/isolate/protocol.ts";
import type { Request } from "../../domain/trace.ts";
import type { Delivery } from "../../ports/sandbox.ts";
import type { CallRecord } from "./call-record.ts";
import type { GuestEnd, GuestProcess } from "./guest-process.ts";

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

/** A guest has this much more, in milliseconds, to end a call by itself before it is killed. */
const GRACE_MS = 400;

/**
 * Has a guest run the calls of an execution and answers what they ask. The time of a call is wall
 * clock from its start; it is kept by the guest for code that can be interrupted, by the pool's
 * watch for code that cannot, and here for answers that do not come. Rejects as a host does, or
 * with the signal's reason.
 */
export async function converse(
  guest: GuestProcess,
  frame: ExecuteFrame,
  records: readonly CallRecord[],
  signal: AbortSignal,
): Promise<Conversed> {
  const ended: EndedFrame[] = [];
  let startMs = performance.now();
  let atLoad = true;
  const restart = (): void => {
    startMs = performance.now();
    guest.deadlineMs = startMs + frame.timeoutMs + GRACE_MS;
  };
  const expected = frame.calls.length;
  const elapsedMs = (): number => performance.now() - startMs;
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
        if (ended.length === expected) guest.kill("protocol");
        else ended.push(heard);
        guest.cpuMs += heard.usage.cpuMs;
        atLoad = frame.fresh;
        restart();
        break;
      case "asks": {
        const leftMs = frame.timeoutMs - elapsedMs();
        guest.deadlineMs = Number.POSITIVE_INFINITY;
        const record = records[ended.length];
        if (record === undefined) {
          guest.kill("protocol");
          break;
        }
        const told = await answer({ guest, record, asked: heard, leftMs }, signal);
        if (told === "late")
          return { ended, fate: { status: "kept-waiting", wallMs: elapsedMs() } };
        guest.deadlineMs = startMs + frame.timeoutMs + GRACE_MS;
        break;
      }
      case "done":
        if (isComplete(ended, frame)) return { ended, fate: { status: "done" } };
        guest.kill("protocol");
        break;
      case "ready":
      case "sifted":
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

type Asking = {
  readonly guest: GuestProcess;
  readonly record: CallRecord;
  readonly asked: Extract<GuestFrame, { kind: "asks" }>;
  readonly leftMs: number;
};

/** Passes requests to the host and its answers to the guest. A call that has settled waits for neither. */
async function answer(
  { guest, record, asked, leftMs }: Asking,
  signal: AbortSignal,
): Promise<"told" | "late"> {
  const delivery = await inTime(record, asked.requests as readonly Request[], {
    guest,
    leftMs,
    signal,
  });
  if (asked.settled) guest.send({ kind: "abandon" });
  else if (delivery === null) return guest.gone.aborted ? "told" : "late";
  else if (delivery.answers.length === 0) guest.send({ kind: "abandon" });
  else {
    const answers = JSON.stringify(delivery.answers);
    guest.send({ kind: "deliver", answers, now: delivery.now });
  }
  return "told";
}

/** The delivery; null when the time is over or the guest has gone before it came. */
async function inTime(
  record: CallRecord,
  requests: readonly Request[],
  { guest, leftMs, signal }: { guest: GuestProcess; leftMs: number; signal: AbortSignal },
): Promise<Delivery | null> {
  const over = new AbortController();
  const stop = (): void => over.abort();
  for (const ending of [signal, guest.gone]) ending.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(() => over.abort(), Math.max(1, leftMs));
  const stopped = new Promise<null>((resolve) => {
    over.signal.addEventListener("abort", () => resolve(null), { once: true });
  });
  const asking = record.next(requests, over.signal);
  // A host that hears of the end may reject when nobody waits any more.
  asking.catch(() => undefined);
  try {
    return await Promise.race([stopped, asking]);
  } finally {
    clearTimeout(timer);
    for (const ending of [signal, guest.gone]) ending.removeEventListener("abort", stop);
    over.abort();
  }
}
