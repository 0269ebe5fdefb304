import type { Case } from "./case.ts";
import { classify, describe, signatureOf } from "./judge.ts";
import { argumentsOf, type Skill } from "./skill.ts";
import type { Run } from "./task.ts";
import type { Outcome, Trace } from "./trace.ts";
import { worldOf } from "./world.ts";

const FAILURE_CLASSES = [
  "wrong-value",
  "threw",
  "did-not-throw",
  "bad-result",
  "timed-out",
  "out-of-memory",
  "crashed",
  "not-loaded",
  "endpoint-gone",
  "rate-limited",
  "schema-changed",
  "low-reward",
  "missing-skill",
  "tool-misused",
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

export const INCIDENT_STATES = [
  "open",
  "improving",
  "repaired",
  "waiting-approval",
  "no-change",
  "invalid-task",
  "closed",
  "gave-up",
  "claimed",
] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

/** Runs of one skill version that fall short in the same way. */
export type Incident = {
  readonly id: string;
  readonly skill: string;
  readonly version: string;
  /** Same signature, same incident: see `signatureOf`. */
  readonly signature: string;
  readonly failureClass: FailureClass;
  readonly summary: string;
  readonly state: IncidentState;
  /** The run that opened it. */
  readonly firstRunId: string;
  readonly runs: number;
  /** Rejected groups so far; back-off grows with it. */
  readonly rejections: number;
  readonly openedAt: number;
  /** No improvement is tried before this instant. */
  readonly retryAt: number;
  readonly note: string;
};

/** A place in the source, as UTF-16 offsets, with how suspicious it is in [0,1]. */
export type Suspicion = {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly score: number;
};

/** A case with what became of it on the faulty version. */
export type JudgedCase = {
  readonly case: Case;
  readonly outcome: Outcome;
  readonly trace: Trace;
  readonly passed: boolean;
  readonly reason: string;
};

/** What reflection found. */
export type Diagnosis = {
  readonly incidentId: string;
  readonly failureClass: FailureClass;
  /** The smallest failing case that fails in the same way. */
  readonly failing: JudgedCase;
  /** All visible cases with their outcomes on the faulty version, the failing one included. */
  readonly judged: readonly JudgedCase[];
  /** Most suspicious first. */
  readonly suspicions: readonly Suspicion[];
  /** Digests of the sources already tried and refused for this signature. */
  readonly tried: readonly string[];
  readonly summary: string;
};

/** The incident that a run which falls short opens or joins. */
export function incidentOf(run: Run, id: string): Incident {
  const { skill, version, trace } = run;
  const failureClass = classify(trace, run.expectation);
  return {
    id,
    skill,
    version,
    signature: signatureOf(skill, failureClass, trace.outcome),
    failureClass,
    // A result can tell what was asked, which of a run that is set aside nobody is to learn.
    summary: `${skill} ${run.isHeldOut ? "fell short in a run that is set aside" : describe(trace.outcome)}`,
    state: "open",
    firstRunId: run.id,
    runs: 0,
    rejections: 0,
    openedAt: run.startedAt,
    retryAt: 0,
    note: "",
  };
}

/** A live run as a case: its input, its recorded world, and what is known of the right outcome. */
export function caseOfRun(run: Run, skill: Skill, name: string): Case {
  return {
    name,
    args: argumentsOf(skill.signature, run.input),
    expectation: run.expectation ?? { kind: "reward", atLeast: skill.manifest.reward.threshold },
    world: worldOf(run.trace),
  };
}

/** The longest pause, in milliseconds: a day; where the world was at fault, an hour. */
const LONGEST_PAUSE_MS = 86_400_000;
const LONGEST_WORLDS_PAUSE_MS = 3_600_000;

/** Rejected groups of one failure after which its improvement counts as paused. */
export const PAUSED_AFTER = 3;

/**
 * What an incident takes over from the latest one before it that had the same signature: how often
 * proposals were refused for it, and the pause that came of it. A new version frees nobody of either;
 * a repair does.
 */
export function inheritedFrom(
  before: Incident | undefined,
): Pick<Incident, "rejections" | "retryAt"> | null {
  if (before === undefined || before.rejections === 0 || before.state === "repaired") return null;
  const { rejections, retryAt } = before;
  return { rejections, retryAt: rejections >= PAUSED_AFTER ? retryAt : 0 };
}

/** When an incident is tried next, where it has a pause; null: as soon as may be, or not at all. */
export function nextTryAt({ state, ...incident }: Incident, now: number): number | null {
  const isTried = state === "open" || state === "improving" || state === "no-change";
  return isTried && isPaused(incident, now) ? incident.retryAt : null;
}

/** Whether an incident is let be for a while. A longer pause than there is comes from a wrong clock. */
export function isPaused({ retryAt }: Pick<Incident, "retryAt">, now: number): boolean {
  return retryAt > now && retryAt <= now + LONGEST_PAUSE_MS;
}

/** Pause before the next try, in milliseconds: doubles with each rejected group, a day at most. */
export function backoffMs(rejections: number, firstMs: number): number {
  return Math.min(firstMs * 2 ** Math.max(0, rejections - 1), LONGEST_PAUSE_MS);
}

/** The same for a fault of the world, which is over without anybody telling: an hour at most. */
export function worldsBackoffMs(groups: number, firstMs: number): number {
  return Math.min(backoffMs(groups, firstMs), Math.max(firstMs, LONGEST_WORLDS_PAUSE_MS));
}
