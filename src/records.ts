import { HoneError } from "./domain/errors.ts";
import { outcomesOf, type Choice, type Group } from "./domain/group.ts";
import { backoffMs, worldsBackoffMs, type Diagnosis, type Incident } from "./domain/incident.ts";
import { canonical } from "./domain/json.ts";
import type { Release } from "./domain/release.ts";
import { fallsShort, type Reward } from "./domain/reward.ts";
import { pullsOf } from "./domain/pulls.ts";
import { isInShare } from "./domain/share.ts";
import type { Skill } from "./domain/skill.ts";
import type { Run, Task } from "./domain/task.ts";
import type { Trace } from "./domain/trace.ts";
import type { House } from "./ports/house.ts";
import type { CandidateRecord } from "./ports/store.ts";
import type { Adoption } from "./stages/0-adopt.ts";
import type { Reflection } from "./stages/3-reflect.ts";

/** How an attempt to improve ended; the same words as in the ledger and in `hone incidents`. */
export type Settled = {
  readonly incident: string;
  readonly result:
    | "released"
    | "waiting-approval"
    | "no-change"
    | "closed"
    | "invalid-task"
    | "infra-error";
  readonly reason: string;
  readonly commit: string | null;
  readonly candidate: string | null;
  /** Programs run in search of candidates. */
  readonly tried: number;
};

/** A finished run, in the ledger. A share of the good ones is set aside as held-out, by hash. */
export function recordRun(
  {
    task,
    skill,
    trace,
    reward,
    startedAt,
  }: {
    readonly task: Task;
    readonly skill: Skill;
    readonly trace: Trace;
    readonly reward: Reward;
    readonly startedAt: number;
  },
  house: House,
): Run {
  const { threshold } = skill.manifest.reward;
  const isGood = reward.status === "scored" && !fallsShort(reward, threshold);
  const made: Run = {
    id: house.newId("run"),
    taskId: task.id,
    skill: skill.name,
    version: skill.version,
    input: task.input,
    expectation: task.expectation,
    trace,
    reward,
    startedAt,
    isHeldOut:
      isGood && isInShare(`${skill.name} ${canonical(task.input)}`, house.settings.heldOutShare),
  };
  house.store.addRun(made);
  if (reward.status === "bad-reward") {
    house.tell("reward.bad", skill.name, { run: made.id, reason: reward.reason });
  }
  return made;
}

/** Nothing to repair, or nothing that can be said now. */
export function recordUnexplained(
  incident: Incident,
  reflection: Exclude<Reflection, { status: "diagnosed" }>,
  house: House,
): Settled {
  const isInfra = reflection.status === "infrastructure";
  const reason = isInfra ? reflection.reason : "replayed from its recording, the case passes";
  const { backoffMs: firstMs } = house.settings;
  house.store.setIncident(incident.id, {
    state: isInfra ? "open" : "closed",
    note: reason,
    retryAt: house.now() + firstMs,
  });
  house.tell("incident.closed", incident.skill, { incident: incident.id, reason });
  const result = isInfra ? "infra-error" : "closed";
  return { incident: incident.id, result, reason, commit: null, candidate: null, tried: 0 };
}

/** The incident's tasks ask for what is not there: nothing is proposed, and a person may see why. */
export function recordInvalidTask(incident: Incident, house: House): Settled {
  const reason = "the server answers 404 for these inputs and serves others: the task is at fault";
  house.store.setIncident(incident.id, { state: "invalid-task", note: reason });
  house.tell("incident.invalid-task", incident.skill, { incident: incident.id, reason });
  const nothing = { commit: null, candidate: null, tried: 0 };
  return { incident: incident.id, result: "invalid-task", reason, ...nothing };
}

/** A finished group, with advantages and verdicts. Rejections make the next try wait longer. */
export function recordGroup(
  {
    incident,
    diagnosis,
    group,
    choice,
  }: {
    readonly incident: Incident;
    readonly diagnosis: Diagnosis;
    readonly group: Group;
    readonly choice: Choice;
  },
  house: House,
): Settled {
  const groupId = house.newId("group");
  const { judged: _, ...kept } = diagnosis;
  const reason = "reason" in choice ? choice.reason : choice.attempt.candidate.reason;
  const { id, skill, signature } = incident;
  const { tried, durationMs } = group;
  const result = RESULTS[choice.status];
  const of = { id: groupId, incidentId: id, skill, signature, tried, result, reason, durationMs };
  house.store.addGroup(
    { ...of, at: house.now(), diagnosis: kept },
    candidatesOf(groupId, group, choice),
  );
  house.store.setIncident(id, afterGroup(incident, choice, reason, house));
  learnFrom(group, { groupId, failureClass: incident.failureClass }, house);
  const candidate = "attempt" in choice ? choice.attempt.candidate.id : null;
  const candidates = group.attempts.length;
  for (const failure of group.failures) {
    house.tell("proposer.failed", skill, { incident: id, ...failure });
  }
  house.tell(`group.${result}`, skill, { incident: id, reason, tried, candidates, candidate });
  const settled = result === "waiting" ? "waiting-approval" : result;
  return { incident: id, result: settled, reason, commit: null, candidate, tried };
}

/** A lesson that the ledger cannot take is told there, and keeps no candidate from its release. */
function learnFrom(
  { attempts }: Group,
  { groupId, failureClass }: { readonly groupId: string; readonly failureClass: string },
  { store }: House,
): void {
  const pulls = pullsOf(attempts);
  if (pulls.length === 0) return;
  try {
    store.addPulls(groupId, failureClass, pulls);
  } catch (error) {
    if (!(error instanceof HoneError)) throw error;
  }
}

const RESULTS = {
  release: "released",
  ask: "waiting",
  "infra-error": "infra-error",
  "no-change": "no-change",
} as const;

function candidatesOf(groupId: string, group: Group, choice: Choice): readonly CandidateRecord[] {
  const outcomes = outcomesOf(group, choice);
  return group.attempts.map(({ candidate, verification }, at) => ({
    candidate,
    verification,
    groupId,
    state: outcomes[at]?.state ?? "rejected",
    advantage: outcomes[at]?.advantage ?? null,
  }));
}

function afterGroup(
  { id, rejections }: Incident,
  { status }: Choice,
  note: string,
  { now, settings, store }: House,
): Parameters<House["store"]["setIncident"]>[1] {
  switch (status) {
    case "release":
      return { note };
    case "ask":
      return { state: "waiting-approval", note };
    case "infra-error": {
      const retryAt = now() + worldsBackoffMs(store.groups(id).length, settings.backoffMs);
      return { state: "open", note, retryAt };
    }
    case "no-change": {
      const retryAt = now() + backoffMs(rejections + 1, settings.backoffMs);
      return { state: "no-change", rejections: rejections + 1, retryAt, note };
    }
  }
}

/** A release that stands, and is in the ledger: nobody is asked any more about its incident. */
export function recordRelease(made: Release, house: House): void {
  const { incidentId, candidateId, commit, reason, skill } = made;
  for (const { candidate } of house.store.candidates({ state: "waiting", limit: 100 })) {
    const isMoot = candidate.incidentId === incidentId && candidate.id !== candidateId;
    if (isMoot) house.store.setCandidate(candidate.id, "spare");
  }
  house.tell("release.made", skill, { commit, incident: incidentId, reason });
}

/** A release that could not be made; the candidate is kept and the incident stays open. */
export function recordUnreleased(
  incident: Incident,
  candidate: string,
  error: unknown,
  house: House,
): Settled {
  if (!(error instanceof HoneError)) throw error;
  const reason = `${error.message} (${error.hint})`;
  house.store.setCandidate(candidate, "spare");
  const retryAt = house.now() + (error.retryable ? 0 : house.settings.backoffMs);
  house.store.setIncident(incident.id, { state: "open", note: reason, retryAt });
  house.tell("release.failed", incident.skill, { incident: incident.id, reason });
  return {
    incident: incident.id,
    result: "infra-error",
    reason,
    commit: null,
    candidate,
    tried: 0,
  };
}

/** A watch that ended well. */
export function recordKept(made: Release, reason: string, house: House): void {
  house.store.setRelease(made.commit, "kept", reason);
  house.tell("release.kept", made.skill, { commit: made.commit, reason });
}

/** A release that something else has taken the place of, unless that was its own rollback. */
export function recordReplaced(made: Release, by: string, house: House): void {
  const isWatched = house.store.release(made.commit)?.state === "watching";
  if (isWatched) recordKept(made, `replaced by ${by}`, house);
}

/** A rollback that could not be made now; told once for each reason. */
export function recordStuckRollback(made: Release, reason: string, house: House): void {
  const key = `stuck-rollback/${made.commit}`;
  if (house.store.note(key) === reason) return;
  house.store.setNote(key, reason);
  house.tell("rollback.failed", made.skill, { commit: made.commit, reason });
}

/** A rollback that was made, and is in the ledger. */
export function recordRollback(made: Release, revert: Release, house: House): Release {
  house.tell("release.rolled-back", made.skill, {
    commit: made.commit,
    by: revert.commit,
    reason: revert.reason,
  });
  return revert;
}

/** What was taken in, or refused; a refusal is told once per commit. */
export function recordAdoption(adoption: Adoption, house: House): Adoption {
  if (adoption.status === "nothing-new") {
    if ((house.store.note("refused-commit") ?? "") !== "")
      house.store.setNote("refused-commit", "");
    return adoption;
  }
  const { commit } = adoption;
  if (adoption.status === "adopted") {
    house.store.setNote("refused-commit", "");
    house.tell("commit.adopted", null, { commit, skills: adoption.skills });
    return adoption;
  }
  const note = JSON.stringify({ commit, problems: adoption.problems });
  if (house.store.note("refused-commit") !== note) {
    house.store.setNote("refused-commit", note);
    house.tell("commit.refused", null, { commit, problems: adoption.problems });
  }
  return adoption;
}
