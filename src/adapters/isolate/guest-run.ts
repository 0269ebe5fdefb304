import { guestText } from "../../../sandbox/isolate/guest-text.ts";
import type { ExecuteFrame } from "../../../sandbox/isolate/protocol.ts";
import { webSurfaceFor } from "../../../sandbox/isolate/web.ts";
import type { CallResult, Execution } from "../../ports/sandbox.ts";
import type { CallRecord } from "./call-record.ts";
import { resultOf, resultOfLoss } from "./call-results.ts";
import { converse, type Conversed, isBreak } from "./conversation.ts";
import { GuestPool } from "./guest-pool.ts";
import type { GuestProcess } from "./guest-process.ts";

/** A call that broke its guest, or that its host kept waiting for the whole of its time. */
export type Broken = {
  readonly record: CallRecord;
  readonly result: CallResult;
  /** The call had not begun: the program does not get through its load. */
  readonly atLoad: boolean;
  readonly byHost: boolean;
};

/** The calls that one guest ran, in order; the last may have broken it. */
export type Part = { readonly results: readonly CallResult[]; readonly broken: Broken | null };

export type RunnerSettings = {
  readonly warm: number;
  readonly most: number;
  readonly jitless: boolean;
};

/** A guest's resident memory may reach this, in bytes, plus four times the isolate's limit. */
const ROOM_BYTES = 256 * 2 ** 20;

/** The engine does not make a smaller isolate. */
const LEAST_MEMORY_MB = 8;

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** Runs calls in guests of a pool. */
export class GuestRunner implements AsyncDisposable {
  readonly #pool: GuestPool;
  readonly #surfaces = new Map<string, number>();

  constructor(settings: RunnerSettings) {
    this.#pool = new GuestPool({ ...settings, text: guestText() });
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
    const guest = await this.#pool.take(signal);
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
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

function frameOf(
  execution: Execution,
  records: readonly CallRecord[],
  surface: number | null,
): ExecuteFrame {
  const { program, limits, fresh, stopAtFirstThrow = false, witness = false } = execution;
  if (!IDENTIFIER.test(program.entry)) throw new Error(`${program.entry} is not an identifier`);
  const { text, entry, strict, takesCtx } = program;
  return {
    kind: "execute",
    program: { text, entry, strict, takesCtx },
    calls: records.map(({ call: { args, grants, environment } }) => ({
      question: JSON.stringify({ args, grants, ctxAt: program.ctxAt ?? null }),
      ...environment,
    })),
    timeoutMs: limits.timeoutMs,
    memoryMb: Math.max(LEAST_MEMORY_MB, limits.memoryMb),
    outputBytes: limits.outputBytes,
    fresh,
    stopAtFirstThrow,
    witness,
    reuse: !fresh && !witness,
    surface,
  };
}

function partOf(
  { ended, fate }: Conversed,
  { program, limits }: Execution,
  records: readonly CallRecord[],
): Part {
  const results = ended.map((frame, at) =>
    resultOf(records[at] as CallRecord, frame, { program, limits }),
  );
  if (fate.status !== "done") {
    const record = records[ended.length] as CallRecord;
    const result = resultOfLoss(record, fate, limits);
    const byHost = fate.status === "kept-waiting";
    return { results, broken: { record, result, atLoad: !byHost && fate.atLoad, byHost } };
  }
  const last = ended.at(-1);
  if (last === undefined || !isBreak(last.outcome.status)) return { results, broken: null };
  const record = records[ended.length - 1] as CallRecord;
  const result = results.at(-1) as CallResult;
  return {
    results: results.slice(0, -1),
    broken: { record, result, atLoad: last.atLoad, byHost: false },
  };
}
