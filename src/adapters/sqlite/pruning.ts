import type { Database } from "better-sqlite3";
import type { Store } from "../../ports/store.ts";

/** Runs of a skill that are kept however old they are: what gates and watches look back upon. */
const ALWAYS_KEPT = 500;

/** Where the look through the runs goes on; it begins anew when it has come to those that are young. */
const CURSOR = "pruned-to";

type Bound = { readonly from: number; readonly before: number; readonly most: number };

/**
 * Removes what is old, a little at a time. A run stays while somebody may ask for it: as part of an
 * incident that is not over, as the one that opened any incident, as a run of a version that is
 * under watch or that is watched against, and as one of the newest of its skill.
 */
export function pruningIn(db: Database): Pick<Store, "prune"> {
  const look = db.prepare<[object], { readonly seq: number; readonly isOld: 0 | 1 }>(
    `SELECT seq, started_at < :before AS isOld FROM runs WHERE seq > :from ORDER BY seq LIMIT :most`,
  );
  const removeRuns = db.prepare<[object], { readonly task: string }>(
    `DELETE FROM runs WHERE seq > :from AND seq <= :to AND started_at < :before
       AND NOT EXISTS (SELECT 1 FROM releases WHERE releases.skill = runs.skill
         AND releases.state IN ('pending', 'watching') AND runs.version IN (commit_id, previous))
       AND NOT EXISTS (SELECT 1 FROM incidents
         WHERE incidents.skill = runs.skill AND first_run_id = runs.id)
       AND NOT EXISTS (SELECT 1 FROM incidents CROSS JOIN incident_runs
         ON incident_id = incidents.id AND run_id = runs.id
         WHERE incidents.skill = runs.skill AND state NOT IN ('repaired', 'closed', 'invalid-task'))
       AND (SELECT count(*) FROM (SELECT 1 FROM runs AS newer WHERE newer.skill = runs.skill
         AND newer.is_held_out = runs.is_held_out AND newer.seq > runs.seq
         LIMIT ${ALWAYS_KEPT})) = ${ALWAYS_KEPT}
     RETURNING task_id AS task`,
  );
  const removeTask = db.prepare("DELETE FROM tasks WHERE id = ? AND state = 'done'");
  const removeFailed = db.prepare(
    `DELETE FROM tasks WHERE created_at < :before AND seq IN (
       SELECT seq FROM tasks WHERE state = 'failed' ORDER BY seq LIMIT :most)`,
  );
  const removeEvents = db.prepare(
    `DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT :most) AND at < :before`,
  );
  const cursor = db.prepare<[], string>(`SELECT value FROM notes WHERE key = '${CURSOR}'`).pluck();
  const setCursor = db.prepare(
    `INSERT INTO notes VALUES ('${CURSOR}', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
  );
  const pruneRuns = (bound: Bound): readonly string[] => {
    const rows = look.all(bound);
    const young = rows.findIndex(({ isOld }) => isOld === 0);
    const old = young === -1 ? rows : rows.slice(0, young);
    const to = old.at(-1)?.seq ?? bound.from;
    const isOver = young !== -1 || rows.length < bound.most;
    setCursor.run(String(isOver ? 0 : to));
    return removeRuns.all({ ...bound, to }).map(({ task }) => task);
  };
  const prune = db.transaction(
    ({ runsBefore, eventsBefore, most }: Parameters<Store["prune"]>[0]) => {
      const from = Number(cursor.get() ?? 0);
      const ended = pruneRuns({ from, before: runsBefore, most });
      let tasks = removeFailed.run({ before: runsBefore, most }).changes;
      for (const task of ended) tasks += removeTask.run(task).changes;
      const events = removeEvents.run({ before: eventsBefore, most }).changes;
      return { runs: ended.length, tasks, events, isOver: Number(cursor.get() ?? 0) === 0 };
    },
  );
  return { prune: (what) => prune.immediate(what) };
}
