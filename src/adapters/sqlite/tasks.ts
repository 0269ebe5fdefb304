import type { Database } from "better-sqlite3";
import { HoneError } from "../../domain/errors.ts";
import { TASK_STATES, type Task, type TaskState } from "../../domain/task.ts";
import type { Store, TaskRecord } from "../../ports/store.ts";
import { pack, unpack, type Packed } from "./packed.ts";

type Row = {
  readonly id: string;
  readonly skill: string;
  readonly input: Packed<Task["input"]>;
  readonly expectation: Packed<Task["expectation"]>;
  readonly source: Task["source"];
  readonly created_at: number;
  readonly state: TaskState;
  readonly run_id: string | null;
  readonly error: string | null;
};

type TaskMethods = Pick<
  Store,
  | "addTask"
  | "task"
  | "claimTask"
  | "requeueRunning"
  | "runningTasks"
  | "failTask"
  | "cancelTask"
  | "countTasks"
>;

/** The queue: tasks in the order of their arrival. */
export function tasksIn(db: Database): TaskMethods {
  const insert = db.prepare(
    `INSERT INTO tasks (id, skill, input, expectation, source, created_at, state)
     VALUES (?, ?, ?, ?, ?, ?, 'queued') ON CONFLICT (id) DO NOTHING`,
  );
  const select = db.prepare<[string], Row>("SELECT * FROM tasks WHERE id = ?");
  const claim = db.prepare<[], Row>(
    `UPDATE tasks SET state = 'running'
     WHERE seq = (SELECT seq FROM tasks WHERE state = 'queued' ORDER BY seq LIMIT 1) RETURNING *`,
  );
  const requeue = db.prepare("UPDATE tasks SET state = 'queued' WHERE state = 'running'");
  const running = db.prepare<[number], Row>(
    "SELECT * FROM tasks WHERE state = 'running' ORDER BY seq LIMIT ?",
  );
  const cancel = db.prepare(
    "UPDATE tasks SET state = 'failed', error = ? WHERE id = ? AND state = 'queued'",
  );
  const fail = db.prepare("UPDATE tasks SET state = 'failed', error = ? WHERE id = ?");
  // Kept by triggers; see `totals-schema.ts`.
  const count = db.prepare<[], { readonly state: TaskState; readonly tasks: number }>(
    "SELECT substr(name, 6) AS state, n AS tasks FROM counts WHERE name GLOB 'task *'",
  );

  return {
    addTask({ id, skill, input, expectation, source, createdAt }) {
      return insert.run(id, skill, pack(input), pack(expectation), source, createdAt).changes === 1;
    },
    task(id) {
      return recordOf(select.get(id));
    },
    claimTask() {
      // `get` would give the row before it is written, and be silent where it could not be.
      return recordOf(claim.all()[0]);
    },
    requeueRunning() {
      return requeue.run().changes;
    },
    runningTasks(limit) {
      return running.all(limit).flatMap((row) => recordOf(row) ?? []);
    },
    failTask(id, error) {
      if (fail.run(error, id).changes === 0) {
        throw new HoneError("not-found", `the ledger knows no task ${id}`);
      }
    },
    cancelTask: (id, error) => cancel.run(error, id).changes === 1,
    countTasks() {
      const counted = new Map(count.all().map(({ state, tasks }) => [state, tasks]));
      return Object.fromEntries(
        TASK_STATES.map((state) => [state, counted.get(state) ?? 0]),
      ) as Record<TaskState, number>;
    },
  };
}

function recordOf(row: Row | undefined): TaskRecord | null {
  if (row === undefined) return null;
  return {
    task: {
      id: row.id,
      skill: row.skill,
      input: unpack(row.input),
      expectation: unpack(row.expectation),
      source: row.source,
      createdAt: row.created_at,
    },
    state: row.state,
    runId: row.run_id,
    error: row.error,
  };
}
