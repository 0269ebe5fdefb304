import type { ExecuteFrame } from "../../../sandbox/isolate/protocol.ts";
import type { CallResult, Execution } from "../../ports/sandbox.ts";
import type { CallRecord } from "./call-record.ts";
import { resultOf, resultOfLoss } from "./call-results.ts";
import { type Conversed, isBreak } from "./conversation.ts";

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

/** The engine does not make a smaller isolate. */
export const LEAST_MEMORY_MB = 8;

/** A name that can be put into a program without changing it otherwise. */
export const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** What a guest is asked: the calls of the records, without what is expected. */
export function frameOf(
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

/** What became of the records' calls. */
export function partOf(
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
