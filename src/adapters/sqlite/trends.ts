import type { Database } from "better-sqlite3";
import type { Release } from "../../domain/release.ts";
import type { Activity, Reckoning, Trend } from "../../ports/activity.ts";

const DAY_MS = 86_400_000;

type Totals = { readonly runs: number; readonly scored: number; readonly total: number };

type TrendRow = Totals & { readonly skill: string; readonly isNow: 0 | 1 };

/** The reckoning of a version, and of the one before it, side by side in a row. */
type EffectRow = Release & {
  readonly runs: number;
  readonly scored: number;
  readonly total: number;
  readonly runsBefore: number;
  readonly scoredBefore: number;
  readonly totalBefore: number;
};

const NOTHING: Reckoning = { runs: 0, scored: 0, meanReward: null };

/** Sums as a mean. */
export function reckoned({ runs, scored, total }: Totals): Reckoning {
  return { runs, scored, meanReward: scored === 0 ? null : total / scored };
}

/** How skills do and did: over days, and around a release. */
export function trendsIn(db: Database): Pick<Activity, "trends" | "releaseEffects"> {
  const sums = db.prepare<[object], TrendRow>(
    `SELECT skill, day >= :from AS isNow, sum(runs) AS runs, sum(scored) AS scored,
       sum(sum) AS total
     FROM skill_days WHERE day >= :start AND day < :to GROUP BY skill, isNow`,
  );
  return {
    trends(period, limit) {
      const from = Math.floor(period.from / DAY_MS);
      const to = Math.floor(period.to / DAY_MS) + 1;
      const rows = sums.all({ from, to, start: from - (to - from) });
      const before = new Map(
        rows.filter(({ isNow }) => isNow === 0).map((row) => [row.skill, row]),
      );
      return rows
        .filter(({ isNow }) => isNow === 1)
        .map((row) => {
          const then = before.get(row.skill);
          const { skill } = row;
          return { skill, ...reckoned(row), before: then === undefined ? NOTHING : reckoned(then) };
        })
        .toSorted((a, b) => fall(b) - fall(a) || b.runs - a.runs)
        .slice(0, limit);
    },
    releaseEffects: releaseEffectsIn(db),
  };
}

function releaseEffectsIn(db: Database): Activity["releaseEffects"] {
  const effects = db.prepare<[object], EffectRow>(
    `SELECT commit_id AS "commit", releases.skill, previous, incident_id AS incidentId,
       candidate_id AS candidateId, reverts, state, released_at AS releasedAt, reason,
       ifnull(mine.runs, 0) AS runs, ifnull(mine.scored, 0) AS scored,
       ifnull(mine.sum, 0) AS total,
       ifnull(theirs.runs, 0) AS runsBefore, ifnull(theirs.scored, 0) AS scoredBefore,
       ifnull(theirs.sum, 0) AS totalBefore
     FROM releases
     LEFT JOIN version_totals AS mine ON mine.skill = releases.skill AND mine.version = commit_id
     LEFT JOIN version_totals AS theirs
       ON theirs.skill = releases.skill AND theirs.version = previous
     WHERE released_at >= :from AND released_at < :to AND state NOT IN ('pending', 'aborted')
     ORDER BY released_at DESC LIMIT :limit`,
  );
  return (period, limit) =>
    effects.all({ ...period, limit }).map((row) => ({
      commit: row.commit,
      skill: row.skill,
      previous: row.previous,
      incidentId: row.incidentId,
      candidateId: row.candidateId,
      reverts: row.reverts,
      state: row.state,
      releasedAt: row.releasedAt,
      reason: row.reason,
      before: reckoned({
        runs: row.runsBefore,
        scored: row.scoredBefore,
        total: row.totalBefore,
      }),
      after: reckoned(row),
    }));
}

/** By how much the mean reward fell; what has no mean before or now has not fallen. */
function fall({ before, meanReward }: Trend): number {
  return before.meanReward === null || meanReward === null ? 0 : before.meanReward - meanReward;
}
