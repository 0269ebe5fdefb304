import { guestText } from "../../../sandbox/isolate/guest-text.ts";
import type { SiftedFrame, SiftFrame } from "../../../sandbox/isolate/protocol.ts";
import { webSurfaceFor } from "../../../sandbox/isolate/web.ts";
import type { Execution, PoolState, Sifted, Sifting } from "../../ports/sandbox.ts";
import type { CallRecord } from "../guest/call-record.ts";
import { converse } from "../guest/conversation.ts";
import { frameOf, IDENTIFIER, LEAST_MEMORY_MB, type Part, partOf } from "../guest/part.ts";
import { GuestPool } from "./guest-pool.ts";
import type { GuestProcess } from "./guest-process.ts";
import { type SiftEnd, siftIn, Siftings } from "./sift.ts";
import { SiftAnswers } from "./sift-answers.ts";

export type RunnerSettings = {
  readonly warm: number;
  readonly most: number;
  readonly jitless: boolean;
};

/** A guest's resident memory may reach this, in bytes, plus four times the isolate's limit. */
const ROOM_BYTES = 256 * 2 ** 20;

/** Runs calls in guests of a pool. */
export class GuestRunner implements AsyncDisposable {
  readonly #pool: GuestPool;
  readonly #surfaces = new Map<string, number>();
  #variants = { number: 0, text: "", words: "" };

  constructor(settings: RunnerSettings) {
    this.#pool = new GuestPool({ ...settings, text: guestText() });
  }

  pool(): PoolState {
    return this.#pool.state();
  }

  /**
   * Runs the calls of `records` in one guest until one breaks it. Throws the signal's reason,
   * `sandbox-unavailable`, or what a host throws.
   */
  async run(
    execution: Execution,
    records: readonly CallRecord[],
    signal: AbortSignal,
  ): Promise<Part> {
    const guest = await this.#pool.take(signal, execution.within);
    const stop = (): void => guest.kill("retired");
    signal.addEventListener("abort", stop, { once: true });
    let spent = true;
    try {
      guest.mostRssBytes = ROOM_BYTES + execution.limits.memoryMb * 4 * 2 ** 20;
      const surface = this.#tellSurface(guest, execution.program.text);
      const frame = frameOf(execution, records, surface);
      const part = partOf(await converse(guest, frame, records, signal), execution, records);
      spent = part.broken !== null;
      return part;
    } finally {
      signal.removeEventListener("abort", stop);
      this.#pool.give(guest, spent);
    }
  }

  /**
   * Sifts variants in one guest after the other. What ends a guest is found by running one unit at
   * a time from the last that is known on, and passed over.
   */
  async sift(sifting: Sifting, signal: AbortSignal): Promise<Sifted> {
    const total = sifting.seats.length * sifting.calls.length;
    const siftings = new Siftings(total, sifting);
    const answers = new SiftAnswers(sifting.calls);
    const endsAt = performance.now() + (sifting.budgetMs ?? Infinity);
    let careful = 0;
    while (siftings.next < total && performance.now() < endsAt) {
      const from = siftings.next;
      const end = await this.#siftFrom({ sifting, siftings, answers, careful, endsAt }, signal);
      if (end.status === "done" && siftings.next === from) break;
      if (end.status === "lost" && careful > 0 && siftings.next === from) siftings.end(end.outcome);
      careful = end.status === "lost" ? MOST_LOST : 0;
    }
    return siftings.result();
  }

  async #siftFrom(work: SiftWork, signal: AbortSignal): Promise<SiftEnd> {
    const { sifting, siftings, answers, careful, endsAt } = work;
    const guest = await this.#pool.take(signal);
    const stop = (): void => guest.kill("retired");
    signal.addEventListener("abort", stop, { once: true });
    let spent = true;
    try {
      guest.mostRssBytes = ROOM_BYTES + sifting.limits.memoryMb * 4 * 2 ** 20;
      const { number, surface } = this.#tellVariants(guest, sifting.program.text);
      const { isAnswering: isAnswered } = answers;
      const budgetMs = Math.max(1, Math.min(SIFT_MS, endsAt - performance.now()));
      const place = { from: siftings.next, careful, surface, isAnswered, budgetMs, number };
      const ends = { answers, take: (told: SiftedFrame) => siftings.take(told) };
      const end = await siftIn(guest, siftFrameOf(sifting, place), ends, signal);
      spent = end.status === "lost";
      return end;
    } finally {
      signal.removeEventListener("abort", stop);
      this.#pool.give(guest, spent);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  /** The number of a program of variants; a guest knows one at a time. */
  #tellVariants(guest: GuestProcess, text: string): { number: number; surface: number | null } {
    if (this.#variants.text !== text) {
      const number = this.#variants.number + 1;
      this.#variants = { number, text, words: wordsOf(text) };
    }
    const { number, words } = this.#variants;
    if (guest.variants !== number) guest.send({ kind: "variants", number, text });
    guest.variants = number;
    return { number, surface: this.#tellSurface(guest, words) };
  }

  /** The number of the web names that the program mentions; each guest is told a script once. */
  #tellSurface(guest: GuestProcess, programText: string): number | null {
    const text = webSurfaceFor(programText);
    if (text === null) return null;
    const number = this.#surfaces.get(text) ?? this.#surfaces.size;
    this.#surfaces.set(text, number);
    if (!guest.surfaces.has(number)) guest.send({ kind: "surface", number, text });
    guest.surfaces.add(number);
    return number;
  }
}

/** Each word of a text once: that is all that matters for what it mentions. */
function wordsOf(text: string): string {
  return [...new Set(text.match(/[\w$]+/g))].join(" ");
}

type SiftWork = {
  readonly sifting: Sifting;
  readonly siftings: Siftings;
  readonly answers: SiftAnswers;
  readonly careful: number;
  readonly endsAt: number;
};

/** A guest that is lost takes with it what it had not told: the units of one portion at most. */
const MOST_LOST = 512;

/** How long a guest sifts before it is looked at whether it has served its time. */
const SIFT_MS = 1_500;

function siftFrameOf(
  { program, seats, calls, limits, fuel, tellsAsked = false }: Sifting,
  place: Pick<SiftFrame, "from" | "careful" | "surface" | "isAnswered" | "budgetMs"> & {
    readonly number: number;
  },
): SiftFrame {
  if (!IDENTIFIER.test(program.entry)) throw new Error(`${program.entry} is not an identifier`);
  const { strict, takesCtx } = program;
  const { number, ...rest } = place;
  return {
    kind: "sift",
    program: { strict, takesCtx, number },
    seats,
    calls: calls.map(({ args, grants, environment }) => ({
      question: JSON.stringify({ args, grants, ctxAt: program.ctxAt ?? null }),
      ...environment,
    })),
    fuel,
    tellsAsked,
    timeoutMs: limits.timeoutMs,
    memoryMb: Math.max(LEAST_MEMORY_MB, limits.memoryMb),
    outputBytes: limits.outputBytes,
    ...rest,
  };
}
