import type { Database } from "better-sqlite3";
import type { Run } from "../../domain/task.ts";
import type { PeriodStats, Store, VersionStats } from "../../ports/store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

type Totals = Pick<Store, "versionStats" | "countUnscored" | "statsByHour" | "statsByDay">;

/** What is read of the counts over runs; see `totals-schema.ts`. */
export function totalsIn(db: Database): Totals {
  const stats = db.prepare<[string], VersionStats>(
    `SELECT version, runs, scored, CASE WHEN scored > 0 THEN sum / scored END AS meanReward,
       best AS bestReward, first_at AS firstAt, last_at AS lastAt
     FROM version_totals WHERE skill = ? ORDER BY last_seq DESC`,
  );
  const count = db.prepare<[string], number>("SELECT n FROM counts WHERE name = ?").pluck();
  const columns = `runs, scored, CASE WHEN scored > 0 THEN sum / scored END AS meanReward`;
  const hours = db.prepare<[number], PeriodStats>(
    `SELECT hour * ${HOUR_MS} AS at, ${columns} FROM (
       SELECT minute / 60 AS hour, sum(runs) AS runs, sum(scored) AS scored, sum(sum) AS sum
       FROM minutes WHERE minute >= ? * 60 GROUP BY hour
     ) ORDER BY hour`,
  );
  const days = db.prepare<[string, number], PeriodStats>(
    `SELECT day * ${DAY_MS} AS at, ${columns} FROM skill_days WHERE skill = ? AND day >= ?
     ORDER BY day`,
  );
  return {
    versionStats: (skill) => stats.all(skill),
    countUnscored: () => ({
      unscored: count.get("run unscored") ?? 0,
      badReward: count.get("run bad-reward") ?? 0,
    }),
    statsByHour: (since) => hours.all(Math.floor(since / HOUR_MS)),
    statsByDay: (skill, since) => days.all(skill, Math.floor(since / DAY_MS)),
  };
}

/** Counts a run that was just added, in the transaction that adds it. */
export function countingIn(db: Database): (run: Run, seq: number) => void {
  const version = db.prepare(
    `INSERT INTO version_totals VALUES (:skill, :version, 1, :scored, :sum, :score, :at, :at, :seq)
     ON CONFLICT DO UPDATE SET runs = runs + 1, scored = scored + excluded.scored,
       sum = sum + excluded.sum, best = coalesce(max(best, excluded.best), best, excluded.best),
       first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at),
       last_seq = excluded.last_seq`,
  );
  const more = `runs = runs + 1, scored = scored + excluded.scored, sum = sum + excluded.sum`;
  const minute = db.prepare(
    `INSERT INTO minutes VALUES (:minute, 1, :scored, :sum) ON CONFLICT DO UPDATE SET ${more}`,
  );
  const day = db.prepare(
    `INSERT INTO skill_days VALUES (:skill, :day, 1, :scored, :sum)
     ON CONFLICT DO UPDATE SET ${more}`,
  );
  const count = db.prepare("INSERT INTO counts VALUES (?, 1) ON CONFLICT DO UPDATE SET n = n + 1");
  return ({ skill, version: of, reward, startedAt: at }, seq) => {
    const score = reward.status === "scored" ? reward.score : null;
    const figures = { scored: score === null ? 0 : 1, sum: score ?? 0 };
    version.run({ skill, version: of, score, at, seq, ...figures });
    minute.run({ minute: Math.floor(at / MINUTE_MS), ...figures });
    day.run({ skill, day: Math.floor(at / DAY_MS), ...figures });
    if (score === null) count.run(`run ${reward.status}`);
  };
}
