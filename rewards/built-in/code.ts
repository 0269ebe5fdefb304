import type { JsonObject } from "../../src/domain/json.ts";
import type { RewardAnswer } from "../../src/domain/reward-function.ts";
import type { RewardContext } from "../../src/domain/reward.ts";
import type { Trace } from "../../src/domain/trace.ts";
import { meanOf, within } from "./components.ts";
import { POSITIVE, problemsWith, TEXTS } from "./options.ts";

/**
 * The family `code`: did it work, fast enough, in little enough memory?
 *
 * Options:
 * - `mayThrow`: texts; an error whose message contains one of them is a right answer where nothing
 *   is known of the expected outcome. Default: none.
 * - `timeMs`: wall-clock time of a run in milliseconds, above which `time` falls. Default: no limit.
 * - `memoryMb`: heap of a run in MiB, above which `memory` falls. Default: no limit.
 *
 * Components: `outcome` (1 as expected, or, where nothing is expected, returned), `time`, `memory`.
 * The score is their mean, and 0 when the outcome is wrong: a wrong answer is not worth its speed.
 */
export function code({ outcome, usage }: Trace, context: RewardContext): RewardAnswer {
  const { timeMs, memoryMb } = context.with;
  const isRight =
    context.asExpected ?? (outcome.status === "returned" || mayThrow(outcome, context));
  if (!isRight) return { score: 0, components: { outcome: 0 } };
  return meanOf({
    outcome: 1,
    time: typeof timeMs === "number" ? within(timeMs, usage.wallMs) : null,
    memory: typeof memoryMb === "number" ? within(memoryMb * 1_048_576, usage.heapBytes) : null,
  });
}

/** Problems of the options of `code`. */
export function codeProblems(given: JsonObject): string[] {
  return problemsWith("code", given, { mayThrow: TEXTS, timeMs: POSITIVE, memoryMb: POSITIVE });
}

function mayThrow(outcome: Trace["outcome"], { with: options }: RewardContext): boolean {
  if (outcome.status !== "threw" || !Array.isArray(options["mayThrow"])) return false;
  return options["mayThrow"].some((part) => outcome.error.message.includes(String(part)));
}
