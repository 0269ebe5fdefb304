import { sameExpectation, type Case, type Expectation } from "../domain/case.ts";
import {
  nameOf,
  standingOf,
  subjectOf,
  type Claim,
  type Ground,
  type Standing,
} from "../domain/claim.ts";
import type { Incident } from "../domain/incident.ts";
import { canonical } from "../domain/json.ts";
import { argumentsOf, type Skill } from "../domain/skill.ts";
import type { Run, TaskSource } from "../domain/task.ts";
import { fallsShort } from "../domain/reward.ts";
import type { Store } from "../ports/store.ts";

export type ClaimLedger = Pick<Store, "claims" | "run" | "runs" | "task">;

/** Runs that are looked through for one that asked the same. */
const MOST_RUNS = 200;

/**
 * What an incident that claims opened rests on, with all that is known beside them: other claims,
 * runs whose caller knew the answer, visible and held-out cases, the reported run's own reward. Null
 * for an incident that rests on runs. All evidence is about the same question: what shows a skill to
 * be wrong elsewhere says nothing of what is right here.
 */
export function claimStanding(
  {
    incident,
    skill,
    heldOut = [],
  }: {
    readonly incident: Pick<Incident, "skill" | "signature">;
    /** The version that a repair would replace. */
    readonly skill: Skill;
    readonly heldOut?: readonly Case[];
  },
  ledger: ClaimLedger,
): Standing | null {
  const subject = subjectOf(incident);
  if (subject === null) return null;
  const claims = ledger.claims({ skill: incident.skill, subject });
  const { expectation } = standingOf(claims, []);
  const run = reportedRun(claims, ledger);
  if (expectation === null || run === null) return standingOf(claims, []);
  const args = canonical(argumentsOf(skill.signature, run.input));
  const asks = (of: Case): boolean =>
    canonical(of.args) === args && sameExpectation(of.expectation, expectation);
  const grounds: (Ground | null)[] = [
    byRun(claims, expectation, run, ledger),
    byCase(skill.cases.find(asks)),
    byReward(claims, skill, ledger),
    heldOut.some(asks) ? { kind: "held-out", what: "a held-out case agrees" } : null,
  ];
  return standingOf(
    claims,
    grounds.filter((ground) => ground !== null),
  );
}

function reportedRun(claims: readonly Claim[], { run }: ClaimLedger): Run | null {
  for (const { runId } of claims) {
    const found = run(runId);
    if (found !== null) return found;
  }
  return null;
}

/** A run of the same input whose caller knew the answer, and came by another way than the claims. */
function byRun(
  claims: readonly Claim[],
  expectation: Claim["expectation"],
  { skill, input }: Run,
  ledger: ClaimLedger,
): Ground | null {
  if (expectation === null) return null;
  // One that names no value, or another, says nothing that a run could agree with.
  const saying = claims.filter((one) => isSameAs(expectation, one.expectation));
  const ways = new Set(saying.map(({ by }) => (by.door === "mcp" ? "mcp" : "here")));
  const asked = canonical(input);
  const agreeing = ledger
    .runs({ skill, heldOut: false, limit: MOST_RUNS })
    .filter((one) => one.expectation !== null && canonical(one.input) === asked)
    .find((one) => {
      const isSame = isSameAs(expectation, one.expectation);
      const source = isSame ? (ledger.task(one.taskId)?.task.source ?? null) : null;
      return source !== null && [...ways].some((way) => way !== wayOf(source));
    });
  return agreeing === undefined
    ? null
    : { kind: "run", what: `the caller of run ${agreeing.id} expected the same` };
}

function isSameAs(expectation: Expectation, other: Expectation | null): boolean {
  return other !== null && sameExpectation(other, expectation);
}

function wayOf(source: TaskSource): "mcp" | "here" {
  return source === "mcp" ? "mcp" : "here";
}

function byCase(agreeing: Case | undefined): Ground | null {
  return agreeing === undefined
    ? null
    : { kind: "case", what: `the case "${agreeing.name}" says the same` };
}

/**
 * The skill's own reward says of an answer of the active version that it is wrong. No client has a hand
 * in that: a score that a caller's own expectation made does not count. Nor does one of a run that gave
 * no answer. Whoever wants may ask what a skill rightly refuses, and of what would be right it tells
 * nothing.
 */
function byReward(
  claims: readonly Claim[],
  { version, manifest }: Skill,
  { run }: ClaimLedger,
): Ground | null {
  for (const { runId, by } of claims) {
    const found = run(runId);
    if (found === null || found.version !== version || found.expectation !== null) continue;
    if (found.trace.outcome.status !== "returned") continue;
    if (!fallsShort(found.reward, manifest.reward.threshold)) continue;
    const what = `the reward of the run that ${nameOf(by)} reported is below its threshold`;
    return { kind: "reward", what };
  }
  return null;
}
