import { deliver } from "../../births.ts";
import { HoneError } from "../../domain/errors.ts";
import { backoffMs } from "../../domain/incident.ts";
import type { JsonObject } from "../../domain/json.ts";
import { reconsider } from "../../loop.ts";
import type { House } from "../../ports/house.ts";
import type { Operations } from "../../ports/operations.ts";
import type { CandidateRecord, ReleaseRecord } from "../../ports/store.ts";
import { takeBack } from "../../watching.ts";
import { dependantsIn } from "./endings.ts";
import { follow } from "../follow.ts";
import { refuseInSafeMode } from "../life/safe-mode.ts";
import { refuseWhilePaused } from "../model/spending.ts";
import type { Workspace } from "../workspace.ts";

type Review = Pick<Operations, "approve" | "reject" | "rollback">;

/** The operations in which a person decides. */
export function reviewOf(workspace: Workspace): Review {
  const { house, signal } = workspace;
  return {
    async approve({ candidate, by }) {
      refuseInSafeMode(workspace.mode);
      refuseWhilePaused(house.store);
      await follow(workspace);
      const { oneImprovement } = workspace;
      const approved = await oneImprovement(() => approve(candidate, by, house, signal));
      await follow(workspace);
      return approved;
    },
    reject: async ({ candidate, by }) => reject(candidate, by, house),
    async rollback({ skill, by }) {
      const made = await lastRelease(skill, house);
      await requireUnneeded(made, workspace);
      const revert = await takeBack(made, { reason: `asked for by ${by}`, by }, house);
      await follow(workspace);
      return {
        schemaVersion: 1,
        skill,
        result: "rolled-back",
        commit: revert.commit,
        reverted: made.commit,
        restored: made.previous,
        note: "the case that the release brought stays in cases.jsonl and fails until it is repaired; the same change is not offered again, another one waits for `hone approve`; `git revert` of this commit brings it back",
      };
    },
  };
}

/** A person's no weighs like a group that was refused: the next try waits longer. */
function reject(start: string, by: string, { store, now, settings, tell }: House): JsonObject {
  const { candidate } = waitingCandidate(start, { store });
  const { id, incidentId, skill } = candidate;
  const rejections = (store.incident(incidentId)?.rejections ?? 0) + 1;
  const retryAt = now() + backoffMs(rejections, settings.backoffMs);
  const note = `${id} was rejected by ${by}`;
  store.setCandidate(id, "rejected");
  store.setIncident(incidentId, { state: "no-change", rejections, retryAt, note });
  tell("candidate.rejected", skill, { candidate: id, by });
  return { schemaVersion: 1, candidate: id, skill, result: "rejected" };
}

async function approve(
  start: string,
  by: string,
  house: House,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { candidate, groupId } = waitingCandidate(start, house);
  const { id } = candidate;
  const incident = house.store.incident(candidate.incidentId);
  const group = house.store.groups(candidate.incidentId).find((one) => one.id === groupId);
  if (incident === null || group === undefined) {
    throw new HoneError("not-found", `the ledger has lost the incident of ${id}`);
  }
  const birth = house.store.birth(incident.id);
  if (birth !== null) {
    const { commit } = await deliver({ birth, incident, candidate, by }, house, signal);
    return { schemaVersion: 1, candidate: id, skill: candidate.skill, result: "released", commit };
  }
  const failing = group.diagnosis.failing.case;
  const shipped = await reconsider({ incident, failing, candidate, by }, house, signal);
  const { skill } = candidate;
  if (shipped.commit !== null) {
    return { schemaVersion: 1, candidate: id, skill, result: "released", commit: shipped.commit };
  }
  house.store.setCandidate(id, "waiting");
  house.store.setIncident(incident.id, { state: "waiting-approval", note: shipped.reason });
  throw new HoneError("refused", shipped.reason);
}

/** Waiting candidates that are looked through for the start of an id. */
const MOST_WAITING = 200;

/** By its id, or by the start of it where no other one that waits starts so. */
function waitingCandidate(id: string, { store }: Pick<House, "store">): CandidateRecord {
  const found = store.candidate(id) ?? startingWith(id, store);
  if (found === null) {
    throw new HoneError("not-found", `there is no candidate ${id}`, {
      hint: "`hone status` lists those that wait.",
    });
  }
  if (found.state === "waiting") return found;
  throw new HoneError("refused", `candidate ${id} does not wait for anyone: it is ${found.state}`);
}

function startingWith(start: string, store: House["store"]): CandidateRecord | null {
  const waiting = store.candidates({ state: "waiting", limit: MOST_WAITING });
  const found = waiting.filter(({ candidate }) => candidate.id.startsWith(start));
  if (found.length < 2) return found[0] ?? null;
  throw new HoneError("bad-input", `${found.length} candidates that wait start with ${start}`, {
    hint: `Write more of the id: ${found.map(({ candidate }) => candidate.id).join(", ")}.`,
  });
}

/** To take a new skill back is to take it away from those that call it. Throws `refused`. */
async function requireUnneeded(
  { skill, incidentId }: ReleaseRecord,
  workspace: Workspace,
): Promise<void> {
  if (incidentId === null || workspace.house.store.birth(incidentId) === null) return;
  const needed = await dependantsIn(skill, workspace);
  if (needed.length === 0) return;
  throw new HoneError(
    "refused",
    `${skill} was born with this release, and is needed: ${needed.join("; ")}`,
  );
}

async function lastRelease(skill: string, house: House): Promise<ReleaseRecord> {
  const made = house.store.release(await lastChangeOf(skill, house));
  if (made !== null && made.reverts === null) return made;
  throw new HoneError("refused", `the active version of ${skill} is no release of hone`, {
    hint: "hone takes back its own releases only; a person's commit is for a person to revert.",
  });
}

/** The active version; of a skill that was retired, the commit that did. Throws `not-found`. */
async function lastChangeOf(skill: string, { library, repository, store }: House): Promise<string> {
  if ((await library.names()).includes(skill)) return (await library.active(skill)).version;
  const [last] = store.releases({ skill, states: ["kept"], limit: 1 });
  const isGone = last !== undefined && last.reverts === null;
  if (
    isGone &&
    (await repository.lastChange(await repository.head(), `skills/${skill}`)) === last.commit
  ) {
    return last.commit;
  }
  return (await library.active(skill)).version;
}
