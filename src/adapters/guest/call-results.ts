import type {
  EndedFrame,
  TellingError,
  TellingOutcome,
} from "../../../sandbox/isolate/protocol.ts";
import { stackFrames } from "../../../sandbox/isolate/stack-frames.ts";
import type { Json } from "../../domain/json.ts";
import type { Limits, Program } from "../../domain/skill.ts";
import type { LogLine, Outcome, ThrownError, Usage } from "../../domain/trace.ts";
import type { CallResult } from "../../ports/sandbox.ts";
import type { CallRecord } from "./call-record.ts";
import type { Fate } from "./conversation.ts";
import type { GuestEnd } from "./guest.ts";

/** The result of a call that the guest itself ended. */
export function resultOf(
  record: CallRecord,
  frame: EndedFrame,
  { program, limits }: { readonly program: Program; readonly limits: Limits },
): CallResult {
  const outcome = outcomeOf(frame.outcome, program, limits);
  return compose(record, {
    outcome,
    usage: frame.usage,
    logs: frame.logs as readonly LogLine[],
    hits: frame.hits,
  });
}

/** The result of a call that the guest did not live to end. */
export function resultOfLoss(
  record: CallRecord,
  fate: Exclude<Fate, { status: "done" }>,
  { timeoutMs }: Limits,
): CallResult {
  const timedOut: Outcome = { status: "timed-out", afterMs: timeoutMs };
  const outcome = fate.status === "lost" ? outcomeOfEnd(fate.end, timedOut) : timedOut;
  return compose(record, { outcome, usage: { wallMs: fate.wallMs, cpuMs: 0, heapBytes: 0 } });
}

/** The result of a call that was not begun, since the program does not get through its load. */
export function resultOfSameLoad(record: CallRecord, outcome: Outcome): CallResult {
  return compose(record, { outcome, usage: { wallMs: 0, cpuMs: 0, heapBytes: 0 } });
}

type Told = {
  readonly outcome: Outcome;
  readonly usage: Usage;
  readonly logs?: readonly LogLine[];
  readonly hits?: readonly number[];
};

function compose(record: CallRecord, { outcome, usage, logs = [], hits = [] }: Told): CallResult {
  const { environment, grants } = record.call;
  return { trace: { environment, grants, steps: record.steps, logs, outcome, usage }, hits };
}

/**
 * Why a guest ended, from what hone did and the signal alone. SIGABRT is how the engine and the C++
 * library end a process that gets no more memory.
 */
function outcomeOfEnd({ killedFor, signal, code }: GuestEnd, timedOut: Outcome): Outcome {
  if (killedFor === "overdue") return timedOut;
  if (killedFor === "memory" || (killedFor === null && signal === "SIGABRT"))
    return { status: "out-of-memory" };
  if (killedFor === "protocol")
    return { status: "crashed", reason: "the guest process broke the protocol" };
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  return { status: "crashed", reason: `the guest process ended ${how}` };
}

/** An outcome as the host knows it: the places of an error are read from its stack. */
export function outcomeOf(
  told: TellingOutcome,
  { strict }: Program,
  { timeoutMs }: Limits,
): Outcome {
  switch (told.status) {
    case "returned":
      return { status: "returned", value: told.value as Json };
    case "threw":
    case "not-loaded":
    case "unhandled-rejection":
      return { status: told.status, error: errorOf(told.error, strict) };
    case "bad-result":
      return { status: "bad-result", path: told.path, reason: told.reason };
    case "timed-out":
      return { status: "timed-out", afterMs: timeoutMs };
    case "never-settled":
    case "out-of-memory":
      return { status: told.status };
  }
}

function errorOf({ name, message, stack }: TellingError, strict: boolean): ThrownError {
  return { name, message, frames: stackFrames(stack, strict) };
}
