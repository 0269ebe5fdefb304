import {
  advantagesOf,
  type Candidate,
  type CandidateState,
  type ProposerName,
} from "./candidate.ts";
import { isReleasable, isSuspect, statusOf, type Verification } from "./gate.ts";
import type { Skill } from "./skill.ts";

/** One proposal, applied and verified. */
export type Attempt = {
  readonly candidate: Candidate;
  /** The skill as the candidate leaves it; null where it could not be made. */
  readonly patched: Skill | null;
  readonly verification: Verification;
};

/** A proposer that broke: what it had not proposed by then is not proposed. */
export type ProposerFailure = {
  readonly proposer: ProposerName;
  readonly reason: string;
  /** Where in hone it broke, which is a bug; null where the world failed it, as an endpoint does. */
  readonly bug: string | null;
};

/** The candidates made for one incident. */
export type Group = {
  readonly attempts: readonly Attempt[];
  readonly failures: readonly ProposerFailure[];
  /** Programs run in search of them, their own included. */
  readonly tried: number;
  readonly durationMs: number;
};

export type Choice =
  | { readonly status: "release"; readonly attempt: Attempt; readonly patched: Skill }
  | { readonly status: "ask"; readonly attempt: Attempt; readonly reason: string }
  | { readonly status: "infra-error"; readonly reason: string }
  | { readonly status: "no-change"; readonly reason: string };

/**
 * What to do with a group: the first that passed, else the first that a person may pass, one whose
 * text raises no question before the others. One that passed does not go before a rival of that kind
 * that waits for a person and is surer to be right. Where the world failed a proposer, nobody knows
 * what it would have had.
 */
export function choose({ attempts, failures }: Group): Choice {
  const waiting = attempts.filter(({ verification }) => statusOf(verification) === "needs-data");
  const rival = waiting.find(({ verification }) => !isSuspect(verification));
  for (const attempt of attempts) {
    const { patched, verification } = attempt;
    if (patched === null || !isReleasable(verification)) continue;
    if (rival === undefined || !isSurer(rival, attempt)) {
      return { status: "release", attempt, patched };
    }
  }
  const asking = rival ?? waiting[0];
  if (asking !== undefined) {
    return { status: "ask", attempt: asking, reason: openIn(asking.verification) };
  }
  const broken = attempts.find(({ verification }) => statusOf(verification) === "infra-error");
  if (broken !== undefined) {
    return { status: "infra-error", reason: reasonOf(broken.verification, "infra-error") };
  }
  const failed = failures.find(({ bug }) => bug === null);
  if (failed !== undefined) return { status: "infra-error", reason: sentenceOf(failed) };
  const first = attempts[0];
  const reason =
    first === undefined
      ? "nobody had a proposal"
      : `${attempts.length} refused; the first by ${reasonOf(first.verification, "fail")}`;
  return { status: "no-change", reason: [reason, ...failures.map(sentenceOf)].join("; ") };
}

function sentenceOf({ proposer, reason, bug }: ProposerFailure): string {
  const how = bug === null ? "failed" : "broke, which is a bug of hone";
  return `the proposer ${proposer} ${how}: ${reason}`;
}

/** Whether two were weighed against each other, and the first was found surer. */
function isSurer({ candidate: a }: Attempt, { candidate: b }: Attempt): boolean {
  if (a.confidence === undefined || b.confidence === undefined) return false;
  return a.origin.proposer === b.origin.proposer && a.confidence > b.confidence;
}

/** What becomes of each candidate of a group, with its advantage where the group has spread. */
export function outcomesOf(
  { attempts }: Group,
  choice: Choice,
): readonly { readonly state: CandidateState; readonly advantage: number | null }[] {
  const advantages = advantagesOf(attempts.map(({ verification }) => verification.reward));
  return attempts.map((attempt, at) => ({
    state: stateOf(attempt, choice),
    advantage: advantages?.[at] ?? null,
  }));
}

function stateOf(attempt: Attempt, choice: Choice): CandidateState {
  const isChosen = "attempt" in choice && choice.attempt === attempt;
  // One that is to be released is so only when its commit stands.
  if (isChosen) return choice.status === "release" ? "spare" : "waiting";
  switch (statusOf(attempt.verification)) {
    case "fail":
      return "rejected";
    case "infra-error":
      return "infra-error";
    case "pass":
    case "needs-data":
      return "spare";
  }
}

/** All that a candidate waits for, each with its gate: one may be settled, and the doubt remain. */
function openIn({ verdicts }: Verification): string {
  const open = verdicts.filter(({ status }) => status === "needs-data");
  return open.length === 0
    ? "needs-data"
    : open.map(({ gate, reason }) => `${gate}: ${reason}`).join("; ");
}

function reasonOf({ verdicts }: Verification, status: string): string {
  const verdict = verdicts.find((one) => one.status === status);
  return verdict === undefined ? status : `${verdict.gate}: ${verdict.reason}`;
}
