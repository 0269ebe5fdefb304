import type { Database } from "better-sqlite3";
import { HoneError } from "../../domain/errors.ts";
import { INCIDENT_STATES, type Incident, type IncidentState } from "../../domain/incident.ts";
import type { Store } from "../../ports/store.ts";
import { newestIn } from "./newest.ts";
import { runOf, type RunRow } from "./runs.ts";

type IncidentMethods = Pick<
  Store,
  "joinIncident" | "incident" | "incidents" | "countIncidents" | "runsOf" | "setIncident"
>;

const COLUMNS = `id, skill, version, signature, failure_class AS failureClass, summary, state,
  first_run_id AS firstRunId, runs, rejections, opened_at AS openedAt, retry_at AS retryAt, note`;

/**
 * Incidents. One per skill, version and signature, whatever its state: a late run of a version that
 * has been repaired joins the incident that it belongs to. `runsOf` leaves held-out runs out, for
 * what it returns is shown to proposers.
 */
export function incidentsIn(db: Database): IncidentMethods {
  const byId = db.prepare<[string], Incident>(`SELECT ${COLUMNS} FROM incidents WHERE id = ?`);
  const runs = db.prepare<[string, number], RunRow>(
    `SELECT * FROM runs WHERE seq IN (
       SELECT seq FROM incident_runs JOIN runs ON runs.id = run_id
       WHERE incident_id = ? AND is_held_out = 0 ORDER BY seq DESC LIMIT ?
     ) ORDER BY seq DESC`,
  );
  const change = db.prepare(
    `UPDATE incidents SET state = coalesce(:state, state), note = coalesce(:note, note),
       rejections = coalesce(:rejections, rejections), retry_at = coalesce(:retryAt, retry_at)
     WHERE id = :id`,
  );
  const count = db.prepare<[], { readonly state: IncidentState; readonly incidents: number }>(
    "SELECT state, count(*) AS incidents FROM incidents GROUP BY state",
  );
  const join = joinIn(db);

  return {
    joinIncident: (incident, runId) => join.immediate(incident, runId),
    incident: (id) => byId.get(id) ?? null,
    incidents: newestIn(db, "incidents", COLUMNS),
    countIncidents() {
      const counted = new Map(count.all().map(({ state, incidents }) => [state, incidents]));
      return Object.fromEntries(
        INCIDENT_STATES.map((state) => [state, counted.get(state) ?? 0]),
      ) as Record<IncidentState, number>;
    },
    runsOf: (incidentId, limit) => runs.all(incidentId, limit).map(runOf),
    setIncident(id, { state = null, rejections = null, retryAt = null, note = null }) {
      if (change.run({ id, state, rejections, retryAt, note }).changes === 0) {
        throw new HoneError("not-found", `the ledger knows no incident ${id}`);
      }
    },
  };
}

function joinIn(db: Database) {
  const open = db.prepare(
    `INSERT INTO incidents (id, skill, version, signature, failure_class, summary, state,
       first_run_id, runs, rejections, opened_at, retry_at, note)
     VALUES (:id, :skill, :version, :signature, :failureClass, :summary, :state, :firstRunId, 0,
       :rejections, :openedAt, :retryAt, :note)
     ON CONFLICT (skill, version, signature) DO NOTHING`,
  );
  const find = db.prepare<[object], Incident>(
    `SELECT ${COLUMNS} FROM incidents
     WHERE skill = :skill AND version = :version AND signature = :signature`,
  );
  const add = db.prepare("INSERT INTO incident_runs VALUES (?, ?) ON CONFLICT DO NOTHING");
  const count = db.prepare<[string], Incident>(
    `UPDATE incidents SET runs = runs + 1 WHERE id = ? RETURNING ${COLUMNS}`,
  );

  return db.transaction((wanted: Incident, runId: string) => {
    const isNew = open.run(wanted).changes === 1;
    const found = find.get(wanted);
    if (found === undefined) throw new Error("an incident that was just opened is there");
    const isJoined = add.run(found.id, runId).changes === 1;
    return { incident: isJoined ? (count.get(found.id) ?? found) : found, isNew };
  });
}
