import { HoneError } from "../domain/errors.ts";
import { statusOf } from "../domain/gate.ts";
import type { JsonObject } from "../domain/json.ts";
import { attempt, ship, takeBack } from "../loop.ts";
import { reflect } from "../stages/3-reflect.ts";
import type { House } from "../ports/house.ts";
import type { Operations } from "../ports/operations.ts";
import type { CandidateRecord, ReleaseRecord } from "../ports/store.ts";
import type { Workspace } from "./workspace.ts";

type Review = Pick<Operations, "approve" | "reject" | "rollback">;

/** The operations in which a person decides. */
export function reviewOf({ house, signal }: Workspace): Review {
  return {
    approve: async ({ candidate, by }) => await approve(candidate, by, house, signal),
    async reject({ candidate: id, by }) {
      const { candidate } = waitingCandidate(id, house);
      house.store.setCandidate(id, "rejected");
      house.store.setIncident(candidate.incidentId, {
        state: "no-change",
        note: `${id} was rejected by ${by}`,
      });
      house.tell("candidate.rejected", candidate.skill, { candidate: id, by });
      return { schemaVersion: 1, candidate: id, skill: candidate.skill, result: "rejected" };
    },
    async rollback({ skill, by }) {
      const made = await lastRelease(skill, house);
      const revert = await takeBack(made, { reason: `asked for by ${by}`, by }, house);
      return {
        schemaVersion: 1,
        skill,
        result: "rolled-back",
        commit: revert.commit,
        reverted: made.commit,
        restored: made.previous,
      };
    },
  };
}

/** What waited is verified again on the version that is active now; then it needs data no more. */
async function approve(
  id: string,
  by: string,
  house: House,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { candidate, groupId } = waitingCandidate(id, house);
  const incident = house.store.incident(candidate.incidentId);
  const group = house.store.groups(candidate.incidentId).find((one) => one.id === groupId);
  if (incident === null || group === undefined) {
    throw new HoneError("not-found", `the ledger has lost the incident of ${id}`);
  }
  const skill = await house.library.active(candidate.skill);
  const { failing } = group.diagnosis;
  const ports = { ...house, unrecorded: "closed" as const };
  const asked = { incidentId: incident.id, skill, failing: failing.case, tried: [] };
  const reflection = await reflect(asked, ports, signal);
  if (reflection.status !== "diagnosed") {
    throw new HoneError("refused", `the case of ${id} does not fail any more`, {
      hint: "The skill has changed since; `hone improve` starts again.",
    });
  }
  const { diagnosis } = reflection;
  const made = await attempt(candidate, { skill, diagnosis }, house, signal);
  const status = statusOf(made.verification);
  if (made.patched === null || status === "fail" || status === "infra-error") {
    const verdict = made.verification.verdicts.at(-1);
    throw new HoneError("refused", `${id} does not pass any more: ${verdict?.reason ?? status}`, {
      hint: "The skill has changed since; `hone improve` starts again.",
    });
  }
  const kept = { ...made, candidate: { ...made.candidate, id } };
  const shipment = { incident, skill, diagnosis, attempt: kept, approvedBy: by };
  const settled = { incident: incident.id, result: "released", reason: candidate.reason } as const;
  const nothing = { commit: null, candidate: id, tried: 0 };
  const shipped = await ship(shipment, { ...settled, ...nothing }, house, signal);
  if (shipped.commit === null) {
    house.store.setCandidate(id, "waiting");
    throw new HoneError("refused", shipped.reason);
  }
  return { schemaVersion: 1, candidate: id, skill: skill.name, result: "released", commit: shipped.commit };
}

function waitingCandidate(id: string, house: House): CandidateRecord {
  const found = house.store.candidate(id);
  if (found === null) {
    throw new HoneError("not-found", `there is no candidate ${id}`, {
      hint: "`hone status` lists those that wait.",
    });
  }
  if (found.state === "waiting") return found;
  throw new HoneError("refused", `candidate ${id} does not wait for anyone: it is ${found.state}`);
}

async function lastRelease(skill: string, house: House): Promise<ReleaseRecord> {
  const { version } = await house.library.active(skill);
  const made = house.store.release(version);
  if (made !== null && made.reverts === null) return made;
  throw new HoneError("refused", `the active version of ${skill} is no release of hone`, {
    hint: "hone takes back its own releases only; a person's commit is for a person to revert.",
  });
}
