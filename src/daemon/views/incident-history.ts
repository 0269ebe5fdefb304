import { HoneError } from "../../domain/errors.ts";
import { INCIDENT_STATES, type Incident } from "../../domain/incident.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { House } from "../../ports/house.ts";
import { candidateRow } from "./candidate-row.ts";
import { claimRows } from "./claim-rows.ts";

type Ledger = Pick<House, "store">;

/** Whether a word can be no skill's name, but an incident's id. */
export function isIncidentId(word: string): boolean {
  return word.startsWith("inci_");
}

/**
 * What became of an incident, however it ended: every group that worked on it with its candidates,
 * what was released for it and taken back again, and what fell short since.
 */
export function explainedIncident(start: string, { store }: Ledger): JsonObject {
  const found = incidentNamed(start, { store });
  const groups = store.groups(found.id);
  const [latest] = groups;
  const failing = latest?.diagnosis.failing ?? null;
  return {
    schemaVersion: 1,
    ...summaryOf(found),
    failingCase: failing === null ? null : { name: failing.case.name, args: failing.case.args },
    suspicious:
      latest?.diagnosis.suspicions.slice(0, 3).map(({ line, score }) => ({ line, score })) ?? [],
    claims: claimRows(found.id, { store }),
    groups: groups.map(({ at, result, reason, tried }) => ({ at, result, reason, tried })),
    candidates: groups
      .flatMap(({ id }) => store.candidates({ groupId: id, limit: 50 }))
      .map(candidateRow),
    releases: releasesFor(found, { store }),
    since: recentIncidents(found.skill, { store }).filter(
      ({ openedAt, incident }) => Number(openedAt) >= found.openedAt && incident !== found.id,
    ),
  };
}

/** The newest incidents of a skill, those that are over as well, in a line each. */
export function recentIncidents(skill: string, { store }: Ledger): JsonObject[] {
  return store
    .incidents({ skill, states: INCIDENT_STATES, limit: 10 })
    .map(({ id, state, runs, openedAt, summary, note }) => {
      return { incident: id, state, runs, openedAt, summary, note };
    });
}

function summaryOf({ id, openedAt, ...incident }: Incident): JsonObject {
  const { skill, version, failureClass, summary, state, note, runs, rejections } = incident;
  return {
    incident: id,
    skill,
    version,
    failureClass,
    summary,
    state,
    note,
    runs,
    rejections,
    openedAt,
  };
}

/** Releases for an incident, and what took them back. */
export function releasesFor({ id, skill }: Incident, { store }: Ledger): JsonObject[] {
  const all = store.releases({ skill, limit: 200 });
  const made = new Set(
    all.filter(({ incidentId }) => incidentId === id).map(({ commit }) => commit),
  );
  return all
    .filter(({ commit, reverts }) => made.has(commit) || (reverts !== null && made.has(reverts)))
    .map(({ commit, state, reverts, releasedAt, reason }) => {
      return { commit, state, reverts, releasedAt, reason };
    });
}

/** By its id, or by the start of it where no other one starts so. */
export function incidentNamed(start: string, { store }: Ledger): Incident {
  const found = store.incident(start);
  if (found !== null) return found;
  const all = store.incidents({ states: INCIDENT_STATES, limit: MOST });
  const starting = all.filter(({ id }) => id.startsWith(start));
  const [only] = starting;
  if (only !== undefined && starting.length === 1) return only;
  const what = starting.length === 0 ? `there is no incident ${start}` : `${start} names several`;
  throw new HoneError("not-found", what, { hint: "`hone incidents --all` lists them." });
}

/** Incidents that are looked through for the start of an id. */
const MOST = 1_000;
