import type { CallResult, Execution, Sandbox, Sifted, Sifting } from "../../ports/sandbox.ts";
import { CallRecord } from "./call-record.ts";
import { resultOfSameLoad } from "./call-results.ts";
import { type Broken, GuestRunner } from "./guest-run.ts";

export type IsolateSettings = {
  /** Guest processes kept ready. */
  readonly warm: number;
  /** Guest processes at most. */
  readonly most: number;
  /** No compiler and no executable memory in the guests; default true. */
  readonly jitless?: boolean;
};

/**
 * A sandbox of V8 isolates in guest processes: the fast tier. What a program can do to the process
 * around its isolate ends that process, which is replaced. A bad end is believed after a second run
 * of the same call, alone in a new isolate and answered from the record of the first.
 */
export function createIsolateSandbox({ warm, most, jitless = true }: IsolateSettings): Sandbox {
  return new IsolateSandbox(new GuestRunner({ warm: Math.min(warm, most), most, jitless }));
}

class IsolateSandbox implements Sandbox {
  readonly tier = "isolate";
  readonly #runner: GuestRunner;
  #alone: Promise<unknown> = Promise.resolve();

  constructor(runner: GuestRunner) {
    this.#runner = runner;
  }

  async execute(execution: Execution, signal: AbortSignal): Promise<readonly CallResult[]> {
    const results: CallResult[] = [];
    const { calls, stopAtFirstThrow = false } = execution;
    while (results.length < calls.length) {
      const records = calls.slice(results.length).map((call) => new CallRecord(call));
      const part = await this.#runner.run(execution, records, signal);
      results.push(...part.results);
      if (part.broken === null) break;
      const result = await this.#believe(execution, part.broken, signal);
      results.push(result);
      const { outcome } = result.trace;
      if (stopAtFirstThrow && outcome.status !== "returned") break;
      if (!part.broken.atLoad || !isBad(result)) continue;
      // The load comes before any call and is the same for all: none of the others gets through.
      const others = records.slice(part.results.length + 1);
      results.push(...others.map((record) => resultOfSameLoad(record, outcome)));
    }
    return results;
  }

  sift(sifting: Sifting, signal: AbortSignal): Promise<Sifted> {
    return this.#runner.sift(sifting, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runner[Symbol.asyncDispose]();
  }

  /** The result of a call that broke its guest: that of its second run, where there is one. */
  async #believe(execution: Execution, broken: Broken, signal: AbortSignal): Promise<CallResult> {
    const crashed = broken.result.trace.outcome.status === "crashed";
    const sifting = execution.unconfirmed === true && !crashed;
    if (broken.byHost || sifting) return broken.result;
    const second = this.#alone.then(() => this.#runAgain(execution, broken, signal));
    this.#alone = second.catch(() => undefined);
    return second;
  }

  async #runAgain(execution: Execution, broken: Broken, signal: AbortSignal): Promise<CallResult> {
    const record = new CallRecord(broken.record.call, broken.record);
    const part = await this.#runner.run({ ...execution, fresh: true }, [record], signal);
    const result = part.results[0] ?? part.broken?.result ?? broken.result;
    return record.hasDiverged ? broken.result : result;
  }
}

function isBad({ trace: { outcome } }: CallResult): boolean {
  return ["timed-out", "out-of-memory", "crashed"].includes(outcome.status);
}
