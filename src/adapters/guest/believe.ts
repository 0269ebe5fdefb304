import type { CallResult, Execution } from "../../ports/sandbox.ts";
import { CallRecord } from "./call-record.ts";
import { resultOfSameLoad } from "./call-results.ts";
import type { Broken, Part } from "./part.ts";

/** Runs the calls of some records behind a wall until one breaks what runs them. */
export type RunPart = (
  execution: Execution,
  records: readonly CallRecord[],
  signal: AbortSignal,
) => Promise<Part>;

/**
 * Executes calls, the same way behind every wall. A bad end is believed after a second run of the
 * same call, alone in a new guest and answered from the record of the first.
 */
export class Believer {
  #alone: Promise<unknown> = Promise.resolve();

  /** One result per call; fewer only where the execution stops at the first throw. */
  async execute(
    execution: Execution,
    run: RunPart,
    signal: AbortSignal,
  ): Promise<readonly CallResult[]> {
    const results: CallResult[] = [];
    const { calls, stopAtFirstThrow = false } = execution;
    while (results.length < calls.length) {
      const records = calls.slice(results.length).map((call) => new CallRecord(call));
      const part = await run(execution, records, signal);
      results.push(...part.results);
      if (part.broken === null) break;
      const result = await this.#believe(execution, part.broken, { run, signal });
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

  /** The result of a call that broke its guest: that of its second run, where there is one. */
  async #believe(execution: Execution, broken: Broken, by: Running): Promise<CallResult> {
    const crashed = broken.result.trace.outcome.status === "crashed";
    const sifting = execution.unconfirmed === true && !crashed;
    if (broken.byHost || sifting) return broken.result;
    const second = this.#alone.then(() => runAgain(execution, broken, by));
    this.#alone = second.catch(() => undefined);
    return second;
  }
}

type Running = { readonly run: RunPart; readonly signal: AbortSignal };

async function runAgain(
  execution: Execution,
  broken: Broken,
  { run, signal }: Running,
): Promise<CallResult> {
  const record = new CallRecord(broken.record.call, broken.record);
  const part = await run({ ...execution, fresh: true }, [record], signal);
  const result = part.results[0] ?? part.broken?.result ?? broken.result;
  return record.hasDiverged ? broken.result : result;
}

function isBad({ trace: { outcome } }: CallResult): boolean {
  return ["timed-out", "out-of-memory", "crashed"].includes(outcome.status);
}
