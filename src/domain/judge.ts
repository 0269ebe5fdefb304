import type { Expectation } from "./case.ts";
import { sameJson } from "./json.ts";
import type { FailureClass } from "./incident.ts";
import type { Outcome, Trace } from "./trace.ts";
import { exchangesOf } from "./trace.ts";

export type Judgement = { readonly passed: boolean; readonly reason: string };

/** Holds an outcome against a value or a message. Rewards are judged by the stage `reward`. */
export function judge(
  outcome: Outcome,
  expectation: Exclude<Expectation, { kind: "reward" }>,
): Judgement {
  if (expectation.kind === "throws") {
    const passed =
      outcome.status === "threw" && outcome.error.message.includes(expectation.message);
    return {
      passed,
      reason: passed
        ? "threw as expected"
        : `expected a throw of "${expectation.message}", ${describe(outcome)}`,
    };
  }
  if (outcome.status !== "returned") return { passed: false, reason: describe(outcome) };
  const passed = sameJson(outcome.value, expectation.value);
  return {
    passed,
    reason: passed
      ? "the expected value"
      : `expected ${clip(expectation.value)}, got ${clip(outcome.value)}`,
  };
}

/** What happened, in one clause. */
export function describe(outcome: Outcome): string {
  switch (outcome.status) {
    case "returned":
      return `returned ${clip(outcome.value)}`;
    case "threw":
      return `threw ${outcome.error.name}: ${outcome.error.message}`;
    case "bad-result":
      return `bad_result at ${outcome.path}: ${outcome.reason}`;
    case "timed-out":
      return `timed out after ${outcome.afterMs} ms`;
    case "never-settled":
      return "returned a promise that never settles";
    case "out-of-memory":
      return "ran out of memory";
    case "not-loaded":
      return `could not be loaded: ${outcome.error.message}`;
    case "unhandled-rejection":
      return `left a rejected promise alone: ${outcome.error.message}`;
    case "crashed":
      return `sandbox_crash: ${outcome.reason}`;
  }
}

/** The class of a failure, from its outcome and the answers that the world gave. */
export function classify(trace: Trace, expectation: Expectation | null): FailureClass {
  const { outcome } = trace;
  const statuses = exchangesOf(trace).flatMap(({ request, answer }) =>
    request.kind === "fetch" && answer?.status === "resolved" && statusIn(answer.value) !== null
      ? [statusIn(answer.value) as number]
      : [],
  );
  switch (outcome.status) {
    case "timed-out":
    case "never-settled":
      return "timed-out";
    case "out-of-memory":
    case "crashed":
    case "not-loaded":
    case "bad-result":
      return outcome.status;
    case "unhandled-rejection":
    case "threw":
    case "returned":
      break;
  }
  if (statuses.some((status) => [301, 308, 404, 410].includes(status))) return "endpoint-gone";
  if (statuses.includes(429)) return "rate-limited";
  if (outcome.status !== "returned")
    return statuses.length > 0 && outcome.status === "threw" ? "schema-changed" : "threw";
  if (statuses.length > 0) return "schema-changed";
  if (expectation?.kind === "throws") return "did-not-throw";
  return expectation?.kind === "value" ? "wrong-value" : "low-reward";
}

/**
 * Failing runs with one signature are one incident: the class, the kind of error, its message
 * without the data in it, and the place. Wrong values of one skill version are one incident.
 */
export function signatureOf(skill: string, failureClass: FailureClass, outcome: Outcome): string {
  const error = "error" in outcome ? outcome.error : null;
  const place = error?.frames[0]?.function ?? "";
  return [
    skill,
    failureClass,
    error?.name ?? outcome.status,
    withoutData(error?.message ?? ""),
    place,
  ].join("|");
}

function withoutData(message: string): string {
  return message
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "“”")
    .replace(/https?:\/\/\S+/g, "url")
    .replace(/\d+/g, "#")
    .slice(0, 120);
}

function statusIn(value: unknown): number | null {
  const status = (value as { status?: unknown } | null)?.status;
  return typeof status === "number" ? status : null;
}

function clip(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 160 ? `${text.slice(0, 157)}...` : text;
}
