import type { Database } from "better-sqlite3";
import type { Activity, Counts, Period, Reckoning } from "../../ports/activity.ts";
import { refusalsIn } from "./refusals.ts";
import { reckoned, trendsIn } from "./trends.ts";

const MINUTE_MS = 60_000;

type Totals = { readonly runs: number; readonly scored: number; readonly total: number };

/** The past in figures, from the counts that are kept with each run and from indexes on times. */
export function activityIn(db: Database): Activity {
  return {
    ...rewardsIn(db),
    counts: countsIn(db),
    ...trendsIn(db),
    ...refusalsIn(db),
    lastEvent: lastEventIn(db),
  };
}

/** A period in whole minutes, as `minutes` has them. */
function minutesOf({ from, to }: Period): { readonly from: number; readonly to: number } {
  return { from: Math.floor(from / MINUTE_MS), to: Math.ceil(to / MINUTE_MS) };
}

function rewardsIn(db: Database): Pick<Activity, "rewards" | "firstRunIn"> {
  const steps = db.prepare<[object], Totals & { readonly step: number }>(
    `SELECT minute / CAST(:step AS INTEGER) * CAST(:step AS INTEGER) AS step, sum(runs) AS runs, sum(scored) AS scored,
       sum(sum) AS total
     FROM minutes WHERE minute >= :from AND minute < :to GROUP BY 1 ORDER BY 1`,
  );
  const first = db
    .prepare<[object], number | null>(
      "SELECT min(minute) FROM minutes WHERE minute >= :from AND minute < :to",
    )
    .pluck();
  return {
    rewards(period, stepMs) {
      const step = Math.max(1, Math.round(stepMs / MINUTE_MS));
      const rows = steps.all({ ...minutesOf(period), step });
      return rows.map((row) => ({ at: row.step * MINUTE_MS, ...reckoned(row) }));
    },
    firstRunIn(period) {
      const minute = first.get(minutesOf(period)) ?? null;
      return minute === null ? null : minute * MINUTE_MS;
    },
  };
}

function countsIn(db: Database): Activity["counts"] {
  const runs = db.prepare<[object], Totals>(
    `SELECT ifnull(sum(runs), 0) AS runs, ifnull(sum(scored), 0) AS scored, total(sum) AS total
     FROM minutes WHERE minute >= :from AND minute < :to`,
  );
  // `+`: by the group, of which there are few in a period, never by the state, of which there are many.
  const others = db.prepare<[object], Omit<Counts, keyof Reckoning>>(
    `SELECT
       (SELECT count(*) FROM incidents WHERE opened_at >= :from AND opened_at < :to) AS incidents,
       (SELECT count(*) FROM incidents WHERE opened_at >= :from AND opened_at < :to
          AND state = 'repaired') AS repaired,
       (SELECT count(*) FROM releases WHERE released_at >= :from AND released_at < :to
          AND reverts IS NULL AND state NOT IN ('pending', 'aborted')) AS releases,
       (SELECT count(*) FROM releases WHERE released_at >= :from AND released_at < :to
          AND reverts IS NOT NULL AND state NOT IN ('pending', 'aborted')) AS rollbacks,
       (SELECT count(*) FROM groups CROSS JOIN candidates ON group_id = groups.id
          WHERE at >= :from AND at < :to AND +state = 'rejected' AND EXISTS (
            SELECT 1 FROM verdicts WHERE candidate_seq = candidates.seq AND status <> 'pass'
          )) AS refused`,
  );
  return (period) => {
    const found = others.get(period);
    const totals = runs.get(minutesOf(period));
    if (found === undefined || totals === undefined) throw new Error("a count has one row");
    return { ...reckoned(totals), ...found };
  };
}

function lastEventIn(db: Database): Activity["lastEvent"] {
  const last = db.prepare<[], number | null>("SELECT max(id) FROM events").pluck();
  return () => last.get() ?? 0;
}
