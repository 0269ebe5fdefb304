import type { Database } from "better-sqlite3";
import { DAY_MS, overstepped, type Caps, type Cost, type ModelCall } from "../../domain/budget.ts";
import type { Store } from "../../ports/store.ts";

const SPENT = `SELECT count(*) AS requests,
  coalesce(sum(coalesce(prompt + completion, reserved)), 0) AS tokens,
  coalesce(sum(coalesce(duration_ms, reserved_ms)), 0) / 1000 AS seconds FROM model_calls`;

/** What models were asked, and what it cost. */
export function modelCallsIn(
  db: Database,
): Pick<Store, "reserveModelCall" | "endModelCall" | "modelCost" | "costliestIncidents"> {
  const ofDay = db.prepare<[number], Cost>(`${SPENT} WHERE at > ?`);
  const ofIncident = db.prepare<[string], Cost>(`${SPENT} WHERE incident = ?`);
  const insert = db.prepare(
    `INSERT INTO model_calls (id, at, kind, skill, incident, model, reserved, reserved_ms, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'under-way')`,
  );
  const end = db.prepare(
    `UPDATE model_calls SET status = ?, duration_ms = ?, prompt = ?, completion = ?, cached = ?
     WHERE id = ?`,
  );
  const costliest = db.prepare<[number, number], Cost & { incident: string; skill: string }>(
    `${SPENT.replace("SELECT", "SELECT incident, skill,")} WHERE at > ? AND incident IS NOT NULL
     GROUP BY incident ORDER BY tokens DESC LIMIT ?`,
  );
  const costOf = (incident: string | null, now: number) => ({
    incident: incident === null ? null : (ofIncident.get(incident) ?? NOTHING),
    // A clock that was put back leaves calls behind in the future: they count.
    day: ofDay.get(now - DAY_MS) ?? NOTHING,
  });
  const reserve = db.transaction((call: ModelCall, caps: Caps): readonly string[] => {
    const { id, at, kind, skill, incident, model, reserved, reservedMs } = call;
    const wanted = { tokens: reserved, seconds: reservedMs / 1_000 };
    const words = overstepped(costOf(incident, at), caps, wanted);
    if (words.length === 0) insert.run(id, at, kind, skill, incident, model, reserved, reservedMs);
    return words;
  });
  return {
    reserveModelCall: (call, caps) => reserve.immediate(call, caps),
    endModelCall(id, { status, durationMs, tokens }) {
      const { prompt = null, completion = null, cached = null } = tokens ?? {};
      end.run(status, durationMs, prompt, completion, cached, id);
    },
    modelCost: ({ incident, now }) => costOf(incident, now),
    costliestIncidents: (now, limit) => costliest.all(now - DAY_MS, limit),
  };
}

const NOTHING: Cost = { requests: 0, tokens: 0, seconds: 0 };
