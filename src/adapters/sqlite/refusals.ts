import type { Database } from "better-sqlite3";
import type { Activity, GateCount, Refusal } from "../../ports/activity.ts";

type Row = Omit<Refusal, "gates">;

/** What was refused in a period, and by which gates. A verdict that failed is a candidate's last. */
export function refusalsIn(db: Database): Pick<Activity, "refusals" | "refusedBy"> {
  const groups = db.prepare<[object], Row>(
    `SELECT id, incident_id AS incidentId, skill, reason, tried, at, result FROM groups
     WHERE at >= :from AND at < :to AND result = 'no-change' ORDER BY at DESC LIMIT :limit`,
  );
  const ofGroup = db.prepare<[string], GateCount>(
    `SELECT gate, count(*) AS candidates FROM candidates
     JOIN verdicts ON candidate_seq = candidates.seq
     WHERE group_id = ? AND status = 'fail' GROUP BY gate ORDER BY candidates DESC, gate`,
  );
  const byGate = db.prepare<[object], GateCount>(
    `SELECT gate, count(*) AS candidates FROM groups
     CROSS JOIN candidates ON group_id = groups.id
     CROSS JOIN verdicts ON candidate_seq = candidates.seq
     WHERE at >= :from AND at < :to AND status = 'fail'
     GROUP BY gate ORDER BY candidates DESC, gate`,
  );
  return {
    refusals: (period, limit) =>
      groups.all({ ...period, limit }).map((row) => ({ ...row, gates: ofGroup.all(row.id) })),
    refusedBy: (period) => byGate.all(period),
  };
}
