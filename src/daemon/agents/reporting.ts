import { caseOfRun, incidentOf, type Incident } from "../../domain/incident.ts";
import type { Case, Expectation } from "../../domain/case.ts";
import {
  claimedSignature,
  keptReason,
  nameOf,
  subjectOf,
  withoutSecrets,
  type Claim,
  type Claimant,
  type Standing,
} from "../../domain/claim.ts";
import { HoneError } from "../../domain/errors.ts";
import { canonical, type JsonObject } from "../../domain/json.ts";
import { judge } from "../../domain/judge.ts";
import { fallsShort } from "../../domain/reward.ts";
import { argumentsOf, type Skill } from "../../domain/skill.ts";
import type { Run } from "../../domain/task.ts";
import { claimStanding } from "../../examine/claim-standing.ts";
import { examine } from "../../examine/examine.ts";
import type { House } from "../../ports/house.ts";
import type { Operations, ReportRequest } from "../../ports/operations.ts";
import { reportedRun } from "./reported-run.ts";
import type { Workspace } from "../workspace.ts";

/** Claims of one claimant within an hour, and about one skill within a day, at most. */
const MOST_AN_HOUR = 30;
const MOST_A_DAY = 200;
const HOUR_MS = 3_600_000;

/** Incidents of a skill on claims alone that are worked on; more wait until somebody agrees. */
const MOST_AT_WORK = 5;

/** The largest expected value, in bytes of JSON. */
const MOST_BYTES = 65_536;

/**
 * The operation `report`: somebody says that a run was wrong. That is a claim. It opens an incident
 * or joins one, and a repair is made ready; what it takes to release one, `claimStanding` says.
 */
export function reportingOf(workspace: Workspace): Pick<Operations, "report"> {
  const { house, signal } = workspace;
  return {
    async report(request) {
      const by = claimantOf(request);
      refuseFlood(by, house);
      const run = await reportedRun(request, workspace);
      const skill = await house.library.active(run.skill);
      refuseFlood(by, house, skill.name);
      const expectation = expectationOf(request, skill, house);
      const wrong = { run, skill, expectation };
      if (expectation !== null) {
        refuseNothingWrong(run, expectation);
        refuseContradicted(wrong);
        if (await isRight(wrong, house, signal)) return alreadyRight(wrong);
      }
      const reason = keptReason(request.reason, house.secretsOf(skill));
      return answerOf(keep({ ...wrong, reason, by }, house), skill, house);
    },
  };
}

/** Takes up what waited for an agreeing run, where this is one. */
export function mindClaims(run: Run, house: House): void {
  if (run.expectation === null) return;
  const subject = house.sha256(canonical(run.input));
  const claims = house.store.claims({ skill: run.skill, subject });
  for (const id of new Set(claims.map(({ incidentId }) => incidentId))) {
    const incident = id === null ? null : house.store.incident(id);
    if (incident !== null) void weigh(incident, house, { isNews: false }).catch(unlessOfTheWorld);
  }
}

function unlessOfTheWorld(error: unknown): void {
  if (!(error instanceof HoneError)) throw error;
}

/** A claimed incident's case: the run's question with the answer that is claimed; null for another one. */
export function claimedCase(incident: Incident, skill: Skill, house: House): Case | null {
  const standing = claimStanding({ incident, skill }, house.store);
  const run = house.store.run(incident.firstRunId);
  if (standing === null || standing.expectation === null || run === null) return null;
  const claimed = { ...run, expectation: standing.expectation };
  return caseOfRun(claimed, skill, `incident ${incident.id}`);
}

function claimantOf({ by, via = "api" }: ReportRequest): Claimant {
  return { door: via, name: by.trim().slice(0, 100) };
}

function refuseFlood(by: Claimant, { store, now }: House, skill?: string): void {
  const told =
    skill === undefined
      ? store.countClaims({ by, since: now() - HOUR_MS }) >= MOST_AN_HOUR
      : store.countClaims({ skill, since: now() - 24 * HOUR_MS }) >= MOST_A_DAY;
  if (!told) return;
  throw new HoneError("busy", "there are too many reports to take another one now", {
    hint: "The earlier ones are kept; try again in an hour.",
    retryable: false,
  });
}

function expectationOf(
  { expect, throws: message }: ReportRequest,
  skill: Skill,
  house: House,
): Expectation | null {
  if (expect === undefined) return message === undefined ? null : { kind: "throws", message };
  const text = JSON.stringify(expect);
  const problems =
    text.length > MOST_BYTES
      ? [`it is larger than ${MOST_BYTES} bytes`]
      : house.outputProblems(skill, expect);
  if (problems.length > 0) {
    throw new HoneError(
      "bad-input",
      `${skill.name} cannot return the expected value: ${problems.join("; ")}`,
      { hint: `\`hone skills show ${skill.name}\` shows what it returns.` },
    );
  }
  if (withoutSecrets(text, house.secretsOf(skill)) !== text) {
    throw new HoneError("refused", "the expected value holds what looks like a secret", {
      hint: "It would be written into the skill's cases, which are in git. Report it without a value.",
    });
  }
  return { kind: "value", value: expect };
}

type Wrong = { readonly run: Run; readonly skill: Skill; readonly expectation: Expectation | null };

function refuseNothingWrong({ trace, id }: Run, expectation: Expectation): void {
  if (expectation.kind === "reward" || !judge(trace.outcome, expectation).passed) return;
  throw new HoneError("refused", `run ${id} did exactly what is expected`, {
    hint: "Compare the answer with what you expect once more.",
  });
}

/** A case that people wrote outweighs whatever a client says. */
function refuseContradicted({ run, skill, expectation }: Wrong): void {
  const asked = canonical(argumentsOf(skill.signature, run.input));
  const other = skill.cases.find(
    ({ args, world, expectation: known }) =>
      known.kind !== "reward" &&
      Object.keys(world).length === 0 &&
      canonical(args) === asked &&
      canonical({ ...known }) !== canonical({ ...expectation }),
  );
  if (other === undefined) return;
  throw new HoneError("refused", `the case "${other.name}" of ${skill.name} says otherwise`, {
    hint: "Who knows better than the case changes it in cases.jsonl and commits it.",
  });
}

/** Whether the active version gives the claimed answer when the run is replayed. */
async function isRight(
  { run, skill, expectation }: Wrong,
  house: House,
  signal: AbortSignal,
): Promise<boolean> {
  if (run.version === skill.version) return false;
  const of = caseOfRun({ ...run, expectation }, skill, `run ${run.id}`);
  const ports = { ...house, unrecorded: "closed" as const };
  const { judged } = await examine({ skill, cases: [of] }, ports, signal);
  return judged[0]?.passed === true;
}

function alreadyRight({ run, skill }: Wrong): JsonObject {
  const { name, version } = skill;
  const reason = `version ${version.slice(0, 10)} gives the expected answer; the run was of an older one`;
  return { schemaVersion: 1, skill: name, run: run.id, result: "already-right", reason };
}

type Said = Wrong & { readonly reason: string; readonly by: Claimant };

/** The claim in the ledger, and the incident that it opened or joined. */
function keep({ run, skill, expectation, reason, by }: Said, house: House): Incident {
  const subject = house.sha256(canonical(run.input));
  const isShort = fallsShort(run.reward, skill.manifest.reward.threshold);
  const claimed = incidentOf({ ...run, expectation }, house.newId("incident"));
  // Where a run fell short by itself and nobody says what is right, its own incident has it already.
  const joins = expectation === null && isShort;
  const { incident, isNew } = house.store.joinIncident(
    joins
      ? incidentOf(run, claimed.id)
      : {
          ...claimed,
          signature: claimedSignature(skill.name, subject),
          state: "claimed",
          openedAt: house.now(),
        },
    run.id,
  );
  const claim: Omit<Claim, "times"> = {
    id: house.newId("claim"),
    skill: skill.name,
    subject,
    by,
    runId: run.id,
    version: run.version,
    incidentId: incident.id,
    expectation,
    reason,
    at: house.now(),
  };
  house.store.addClaim(claim);
  house.tell("claim.made", skill.name, {
    claim: claim.id,
    incident: incident.id,
    run: run.id,
    by: nameOf(by),
    hasExpected: expectation !== null,
    isNew,
  });
  return incident;
}

async function answerOf(kept: Incident, skill: Skill, house: House): Promise<JsonObject> {
  const standing = await weigh(kept, house, { isNews: true });
  const { id, state } = house.store.incident(kept.id) ?? kept;
  return {
    schemaVersion: 1,
    skill: skill.name,
    incident: id,
    result: standing?.status ?? "joined",
    state,
    reason: standing?.reason ?? "the run fell short by itself, and is an incident already",
  };
}

/**
 * What becomes of an incident now that something was said: it is worked on while it is known what is
 * right, and again once it is supported, but once for each way to be. Null for one that does not rest
 * on claims.
 */
async function weigh(
  kept: Incident,
  house: House,
  { isNews }: { readonly isNews: boolean },
): Promise<Standing | null> {
  const { store } = house;
  const skill = await house.library.active(kept.skill);
  const standing = claimStanding({ incident: kept, skill }, store);
  if (standing === null) return null;
  const { id, state, failureClass, summary } = store.incident(kept.id) ?? kept;
  const key = `claim-standing/${id}`;
  const isKnown = store.note(key) === standing.reason;
  if (isKnown && !(isNews && isOver(state))) return standing;
  store.setNote(key, standing.reason);
  const isFull = standing.status === "alone" && countAtWork(skill.name, store) >= MOST_AT_WORK;
  const next = nextState(state, standing, { isNews, isFull });
  if (next === state) return standing;
  store.setIncident(id, { state: next, note: standing.reason, retryAt: 0 });
  const detail = { incident: id, failureClass, summary, standing: standing.status };
  house.tell(next === "open" ? "incident.opened" : "claim.weighed", skill.name, detail);
  return standing;
}

function nextState(
  state: Incident["state"],
  { status }: Standing,
  { isNews, isFull }: { readonly isNews: boolean; readonly isFull: boolean },
): Incident["state"] {
  // One that ended is not opened by an agreeing run: whoever still finds it wrong says so.
  const isAsleep = state === "claimed" || (isNews && isOver(state));
  switch (status) {
    case "unknown":
      return isAsleep ? "claimed" : state;
    case "disputed":
      return isAsleep || state === "open" || state === "no-change" ? "claimed" : state;
    case "alone":
      return isAsleep ? (isFull ? "claimed" : "open") : state;
    case "supported":
      return isAsleep || state === "waiting-approval" ? "open" : state;
  }
}

function isOver(state: Incident["state"]): boolean {
  return state === "repaired" || state === "closed" || state === "invalid-task";
}

function countAtWork(skill: string, store: House["store"]): number {
  const states = ["open", "improving", "no-change", "waiting-approval"] as const;
  return store.incidents({ skill, states, limit: 200 }).filter((one) => subjectOf(one) !== null)
    .length;
}
