import type { Database } from "better-sqlite3";
import type { Run } from "../../domain/task.ts";
import type { Store } from "../../ports/store.ts";
import { pack, unpack, type Packed } from "./packed.ts";
import { countingIn, totalsIn } from "./totals.ts";

/** A row of `runs`, as `runOf` reads it. */
export type RunRow = {
  readonly id: string;
  readonly task_id: string;
  readonly skill: string;
  readonly version: string;
  readonly started_at: number;
  readonly is_held_out: 0 | 1;
  readonly reward: Packed<Run["reward"]>;
  readonly input: Packed<Run["input"]>;
  readonly expectation: Packed<Run["expectation"]>;
  readonly trace: Packed<Run["trace"]>;
};

type RunsQuery = Parameters<Store["runs"]>[0];

type RunMethods = Pick<
  Store,
  "addRun" | "run" | "runs" | "rewards" | "rewardsSince" | "countHeldOutLook"
> &
  ReturnType<typeof totalsIn>;

/** Executions with their traces and rewards. A run is kept even where its task is not. */
export function runsIn(db: Database): RunMethods {
  const insert = db.prepare(
    `INSERT INTO runs (id, task_id, skill, version, started_at, is_held_out, reward_status, score,
       reward, input, expectation, trace)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  );
  const endTask = db.prepare(
    "UPDATE tasks SET state = 'done', run_id = ?, error = NULL WHERE id = ?",
  );
  const select = db.prepare<[string], RunRow>("SELECT * FROM runs WHERE id = ?");
  const look = db.prepare<[string], number>(
    `INSERT INTO held_out_looks VALUES (?, 1)
     ON CONFLICT (skill) DO UPDATE SET looks = looks + 1 RETURNING looks`,
  );
  const count = countingIn(db);
  const addRun = db.transaction((run: Run): boolean => {
    const { changes, lastInsertRowid } = insert.run(...valuesOf(run));
    if (changes === 0) return false;
    endTask.run(run.id, run.taskId);
    count(run, Number(lastInsertRowid));
    return true;
  });

  return {
    addRun: (run) => addRun.immediate(run),
    run(id) {
      const row = select.get(id);
      return row === undefined ? null : runOf(row);
    },
    countHeldOutLook: (skill) => look.pluck().all(skill)[0] ?? 0,
    ...rewardsIn(db),
    ...listsOf(db),
    ...totalsIn(db),
  };
}

/** A stored run as the glossary has it. */
export function runOf(row: RunRow): Run {
  return {
    id: row.id,
    taskId: row.task_id,
    skill: row.skill,
    version: row.version,
    input: unpack(row.input),
    expectation: unpack(row.expectation),
    trace: unpack(row.trace),
    reward: unpack(row.reward),
    startedAt: row.started_at,
    isHeldOut: row.is_held_out === 1,
  };
}

function listsOf(db: Database): Pick<Store, "runs"> {
  const bySkill = db.prepare<[object], RunRow>(
    `SELECT * FROM runs WHERE skill = :skill AND is_held_out = :heldOut
       AND (:minimumScore IS NULL OR score >= :minimumScore) AND seq < :before
     ORDER BY seq DESC LIMIT :limit`,
  );
  const byVersion = db.prepare<[object], RunRow>(
    `SELECT * FROM runs WHERE skill = :skill AND version = :version AND is_held_out = :heldOut
       AND (:minimumScore IS NULL OR score >= :minimumScore) AND seq < :before
     ORDER BY seq DESC LIMIT :limit`,
  );
  const place = db.prepare<[string], number>("SELECT seq FROM runs WHERE id = ?").pluck();
  const placeOf = (id: string | undefined): number =>
    id === undefined ? Number.MAX_SAFE_INTEGER : (place.get(id) ?? 0);
  return {
    runs({ skill, version, heldOut, minimumScore, before, limit }: RunsQuery) {
      const which = { skill, heldOut: Number(heldOut), minimumScore: minimumScore ?? null };
      const bound = { ...which, before: placeOf(before), limit };
      const rows =
        version === undefined ? bySkill.all(bound) : byVersion.all({ ...bound, version });
      return rows.map(runOf);
    },
  };
}

function rewardsIn(db: Database): Pick<Store, "rewards" | "rewardsSince"> {
  const scores = db
    .prepare<[string, string, number], number>(
      `SELECT score FROM runs WHERE skill = ? AND version = ? AND score IS NOT NULL
       ORDER BY seq DESC LIMIT ?`,
    )
    .pluck();
  const scoresWithTime = db.prepare<[string, string, number], { score: number; at: number }>(
    `SELECT score, started_at AS at FROM runs
     WHERE skill = ? AND version = ? AND score IS NOT NULL ORDER BY seq DESC LIMIT ?`,
  );
  return {
    rewards: (skill, version, limit) => scores.all(skill, version, limit).toReversed(),
    rewardsSince: ({ skill, version, since, limit }) =>
      scoresWithTime
        .all(skill, version, limit)
        .filter(({ at }) => at >= since)
        .map(({ score }) => score)
        .toReversed(),
  };
}

function valuesOf(run: Run): unknown[] {
  return [
    run.id,
    run.taskId,
    run.skill,
    run.version,
    run.startedAt,
    Number(run.isHeldOut),
    run.reward.status,
    run.reward.status === "scored" ? run.reward.score : null,
    pack(run.reward),
    pack(run.input),
    pack(run.expectation),
    pack(run.trace),
  ];
}
