import type { SiftedFrame, SiftedOutcome, SiftFrame } from "../../../sandbox/isolate/protocol.ts";
import type { Limits, Program } from "../../domain/skill.ts";
import type { Outcome, Request } from "../../domain/trace.ts";
import type { Sifted } from "../../ports/sandbox.ts";
import { outcomeOf } from "../guest/call-results.ts";
import type { GuestProcess } from "./guest-process.ts";
import type { SiftAnswers } from "./sift-answers.ts";

/** A guest has this much more than a portion's time, in milliseconds, before it is killed. */
const GRACE_MS = 1_500;

/** What a guest did of a sift: whether it can go on, and how a unit ended that ended it. */
export type SiftEnd = {
  readonly status: "done" | "lost";
  /** Of the guest, where its process has ended. */
  readonly outcome: Outcome | null;
};

/** Has a guest run units of a sift; what it tells goes to `take`, in order. */
export async function siftIn(
  guest: GuestProcess,
  frame: SiftFrame,
  { answers, take }: SiftEnds,
  signal: AbortSignal,
): Promise<SiftEnd> {
  const wait = (): void => {
    guest.deadlineMs = performance.now() + frame.timeoutMs + GRACE_MS;
  };
  wait();
  guest.send(frame);
  for (;;) {
    const heard = await guest.receive();
    signal.throwIfAborted();
    wait();
    switch (heard?.kind) {
      case undefined:
        return lossOf(await guest.closed, frame);
      case "sifted":
        if (!take(heard)) guest.kill("protocol");
        break;
      case "wants": {
        const told = await answers.next(heard, signal);
        if (told === null) guest.kill("protocol");
        else guest.send(told);
        wait();
        break;
      }
      case "broke":
        return { status: "lost", outcome: { status: "out-of-memory" } };
      case "done":
        guest.cpuMs += heard.cpuMs ?? 0;
        return { status: "done", outcome: null };
      case "ready":
      case "began":
      case "asks":
      case "ended":
        guest.kill("protocol");
    }
  }
}

/** What a sift needs besides a guest. */
type SiftEnds = {
  readonly answers: SiftAnswers;
  /** Takes a report; false where it is none. */
  readonly take: (frame: SiftedFrame) => boolean;
};

function lossOf(
  { killedFor, signal }: Awaited<GuestProcess["closed"]>,
  { timeoutMs }: SiftFrame,
): SiftEnd {
  if (killedFor === "overdue") {
    return { status: "lost", outcome: { status: "timed-out", afterMs: timeoutMs } };
  }
  const hasNoMemory = killedFor === "memory" || (killedFor === null && signal === "SIGABRT");
  const outcome: Outcome = hasNoMemory
    ? { status: "out-of-memory" }
    : { status: "crashed", reason: "the guest process ended" };
  return { status: "lost", outcome };
}

/** Requests by turn. */
type Asked = readonly (readonly Request[])[];

/** The results of all units, put together as they come. */
export class Siftings {
  readonly #outcomes: (Outcome | null)[] = [];
  readonly #asked: Asked[] = [];
  readonly #byText = new Map<string, number>();
  readonly #of: number[] = [];
  readonly #used: number[] = [];
  readonly #total: number;
  readonly #sifting: { readonly program: Program; readonly limits: Limits };

  constructor(total: number, sifting: { readonly program: Program; readonly limits: Limits }) {
    this.#total = total;
    this.#sifting = sifting;
  }

  /** The first unit of which nothing is known. */
  get next(): number {
    return this.#of.length;
  }

  /** Takes a report; false where it does not fit what was reported before. */
  take({ from, to, outcomes, of, used }: SiftedFrame): boolean {
    const fits =
      from === this.next &&
      to <= this.#total &&
      of.length === to - from &&
      used.length === to - from &&
      of.every((at) => at >= 0 && at < outcomes.length);
    if (!fits) return false;
    const known = outcomes.map((outcome) => this.#positionOf(outcome));
    for (const at of of) this.#of.push(known[at] as number);
    this.#used.push(...used);
    return true;
  }

  /** The next unit ended its guest, in this way. */
  end(outcome: Outcome | null): void {
    this.#of.push(this.#add(outcome));
    this.#used.push(0);
  }

  /** Nothing will be known of the rest. */
  result(): Sifted {
    while (this.next < this.#total) this.end(null);
    return { outcomes: this.#outcomes, asked: this.#asked, of: this.#of, used: this.#used };
  }

  #positionOf(told: SiftedOutcome): number {
    const text = JSON.stringify(told);
    const found = this.#byText.get(text) ?? this.#add(this.#outcomeOf(told), told.asked as Asked);
    this.#byText.set(text, found);
    return found;
  }

  #outcomeOf(told: SiftedOutcome): Outcome | null {
    const { program, limits } = this.#sifting;
    if (told.status === "asks") return null;
    if (told.status === "spent") return { status: "timed-out", afterMs: limits.timeoutMs };
    return outcomeOf(told, program, limits);
  }

  #add(outcome: Outcome | null, asked: Asked = []): number {
    this.#asked.push(asked);
    return this.#outcomes.push(outcome) - 1;
  }
}
