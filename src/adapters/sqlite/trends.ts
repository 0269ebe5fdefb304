import type { Database } from "better-sqlite3";
import type { Release } from "../../domain/release.ts";
import type { Activity, Reckoning, Trend } from "../../ports/activity.ts";

const DAY_MS = 86_400_000;

/** The reckoning of a stretch, and of the one before it, side by side in a row. */
type Pair = {
  readonly runs: number;
  readonly scored: number;
  readonly meanReward: number | null;
  readonly runsBefore: number;
  readonly scoredBefore: number;
  readonly meanBefore: number | null;
};

type TrendRow = Pair & { readonly skill: string };

type EffectRow = Pair & Release;

/** How skills do and did: over days, and around a release. */
export function trendsIn(db: Database): Pick<Activity, "trends" | "releaseEffects"> {
  const trends = db.prepare<[object], TrendRow>(
    `SELECT skill,
       ifnull(sum(runs) FILTER (WHERE day >= :from), 0) AS runs,
       ifnull(sum(scored) FILTER (WHERE day >= :from), 0) AS scored,
       sum(total) FILTER (WHERE day >= :from AND scored > 0)
         / sum(scored) FILTER (WHERE day >= :from AND scored > 0) AS meanReward,
       ifnull(sum(runs) FILTER (WHERE day < :from), 0) AS runsBefore,
       ifnull(sum(scored) FILTER (WHERE day < :from), 0) AS scoredBefore,
       sum(total) FILTER (WHERE day < :from AND scored > 0)
         / sum(scored) FILTER (WHERE day < :from AND scored > 0) AS meanBefore
     FROM skill_days WHERE day >= :start AND day < :to GROUP BY skill`,
  );
  return {
    trends(period, limit) {
      const from = Math.floor(period.from / DAY_MS);
      const to = Math.floor(period.to / DAY_MS) + 1;
      const rows = trends.all({ from, to, start: from - (to - from) });
      return rows
        .filter(({ runs }) => runs > 0)
        .map((row) => ({ skill: row.skill, ...pairOf(row) }))
        .map(({ after, ...trend }) => ({ ...trend, ...after }))
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
       mine.total / nullif(mine.scored, 0) AS meanReward,
       ifnull(theirs.runs, 0) AS runsBefore, ifnull(theirs.scored, 0) AS scoredBefore,
       theirs.total / nullif(theirs.scored, 0) AS meanBefore
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
      ...pairOf(row),
    }));
}

function pairOf(row: Pair): { readonly before: Reckoning; readonly after: Reckoning } {
  const { runs, scored, meanReward, runsBefore, scoredBefore, meanBefore } = row;
  return {
    before: { runs: runsBefore, scored: scoredBefore, meanReward: meanBefore },
    after: { runs, scored, meanReward },
  };
}

/** By how much the mean reward fell; what has no mean before or now has not fallen. */
function fall({ before, meanReward }: Trend): number {
  return before.meanReward === null || meanReward === null ? 0 : before.meanReward - meanReward;
}
