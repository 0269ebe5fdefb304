import { HoneError, messageOf } from "../domain/errors.ts";
import type { GateName, Verdict } from "../domain/gate.ts";
import type { Gate } from "../ports/gate.ts";

/** What a gate finds out; the frame adds its name and how long it took. */
export type Finding = Omit<Verdict, "gate" | "durationMs">;

export const PASSED: Finding = { status: "pass", reason: "" };

/** Frames a check as a gate: named, timed, and `infra-error` where the world broke, never `pass`. */
export function gate(
  name: GateName,
  now: () => number,
  check: (...args: Parameters<Gate["check"]>) => Promise<Finding>,
): Gate {
  return {
    name,
    async check(candidate, context, signal) {
      const startedAt = now();
      const finding = await check(candidate, context, signal).catch((error: unknown) =>
        infrastructureOf(error, signal),
      );
      return { gate: name, durationMs: now() - startedAt, ...finding };
    },
  };
}

function infrastructureOf(error: unknown, signal: AbortSignal): Finding {
  signal.throwIfAborted();
  if (!(error instanceof HoneError)) throw error;
  return { status: "infra-error", reason: `${error.code}: ${messageOf(error)}` };
}
