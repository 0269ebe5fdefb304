import { statusOf } from "./domain/gate.ts";
import type { Attempt } from "./domain/group.ts";
import type { Incident } from "./domain/incident.ts";
import type { House } from "./ports/house.ts";

/** A repair of an incident begins. */
export function beginRepair({ id, skill }: Incident, house: House): void {
  house.store.setIncident(id, { state: "improving" });
  const { budgetMs, candidates } = house.settings;
  house.tell("improve.started", skill, { incident: id, budgetMs, candidates });
}

/** One candidate of a repair that goes on: its last gate, and what that said. */
export function tellAttempt({ id, skill }: Incident, made: Attempt, house: House): void {
  const { candidate, verification } = made;
  const last = verification.verdicts.at(-1);
  house.tell("candidate.verified", skill, {
    incident: id,
    candidate: candidate.id,
    change: candidate.reason,
    gate: last?.gate ?? null,
    status: statusOf(verification),
    reason: last?.reason ?? "",
    reward: verification.reward,
  });
}
