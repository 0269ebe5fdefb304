import type { Database } from "better-sqlite3";
import type { Alarm } from "../../domain/alarm.ts";
import type { Store } from "../../ports/store.ts";

/** Alarms; of one kind, skill and cause there is one at a time. */
export function alarmsIn(db: Database): Pick<Store, "raiseAlarm" | "endAlarm" | "alarms"> {
  const raise = db.prepare<[Omit<Alarm, "overAt">]>(
    `INSERT INTO alarms (kind, skill, cause, text, raised_at)
     VALUES (:kind, :skill, :cause, :text, :raisedAt)
     ON CONFLICT (kind, skill, cause) WHERE over_at IS NULL DO NOTHING`,
  );
  const end = db.prepare(
    `UPDATE alarms SET over_at = :at
     WHERE kind = :kind AND skill = :skill AND cause = :cause AND over_at IS NULL`,
  );
  const open = db.prepare<[{ readonly skill: string | null }], Alarm>(
    `SELECT kind, skill, cause, text, raised_at AS raisedAt, over_at AS overAt FROM alarms
     WHERE over_at IS NULL AND (:skill IS NULL OR skill = :skill) ORDER BY seq`,
  );
  return {
    raiseAlarm: (alarm) => raise.run(alarm).changes === 1,
    endAlarm: ({ kind, skill, cause }, at) => end.run({ kind, skill, cause, at }).changes === 1,
    alarms: ({ skill }) => open.all({ skill: skill ?? null }),
  };
}
