import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import Database from "better-sqlite3";
import { migrate } from "../../../src/adapters/sqlite/migrations.ts";
import {
  BIRTHS,
  FIRST_SCHEMA,
  MODEL_CALLS,
  PULLS,
  REFUSALS,
} from "../../../src/adapters/sqlite/schema.ts";
import { openStore } from "../../../src/adapters/sqlite/sqlite-store.ts";
import { MINUTES } from "../../../src/adapters/sqlite/minutes-schema.ts";
import { TOTALS } from "../../../src/adapters/sqlite/totals-schema.ts";
import type { Reward } from "../../../src/domain/reward.ts";
import type { Store } from "../../../src/ports/store.ts";
import { aRun, aTask, scored, temporaryFolder } from "../../support/ledger.ts";
import * as fc from "../../support/property.ts";

const BEFORE = [FIRST_SCHEMA, REFUSALS, BIRTHS, MODEL_CALLS, PULLS];
const TABLES = ["version_totals", "minutes", "skill_days", "counts"];

const reward = fc.oneof(
  fc.integer({ min: 0, max: 4 }).map((fourths): Reward => scored(fourths / 4)),
  fc.constantFrom<Reward>(
    { status: "unscored", reason: "net" },
    { status: "bad-reward", reason: "2" },
  ),
);
const ledgerRuns = fc.array(
  fc.record({
    skill: fc.constantFrom("a", "b"),
    version: fc.constantFrom("v1", "v2"),
    reward,
    startedAt: fc.integer({ min: 0, max: 300_000_000 }),
    task: fc.constantFrom("queued", "claimed", "failed", "done", "back"),
  }),
  { maxLength: 12 },
);

test("what is counted as it happens is what counting the whole ledger gives", (t) => {
  let at = 0;
  const folder = temporaryFolder(t);
  fc.assert(
    fc.property(ledgerRuns, (runs) => {
      const file = path.join(folder, `${(at += 1)}.db`);
      using store = openStore(file);
      runs.forEach(({ task, ...run }, n) => live(store, { ...run, id: `run-${n}` }, task));
      const db = new Database(file);
      const counted = TABLES.map((table) => rowsOf(db, table));
      recount(db);
      assert.deepEqual(
        counted,
        TABLES.map((table) => rowsOf(db, table)),
      );
      db.close();
    }),
    { numRuns: 25 },
  );
});

function live(store: Store, run: Parameters<typeof aRun>[0] & { id: string }, task: string): void {
  store.addTask(aTask({ id: run.id }));
  if (task === "queued") return;
  store.claimTask();
  if (task === "back") store.requeueRunning();
  if (task === "failed") store.failTask(run.id, "no");
  if (task === "done") store.addRun(aRun({ ...run, taskId: run.id }));
}

/** Counts at nothing are as good as none. */
function rowsOf(db: Database.Database, table: string): readonly unknown[] {
  const condition = table === "counts" ? "WHERE n > 0" : "";
  return db.prepare(`SELECT * FROM ${table} ${condition} ORDER BY 1, 2`).all();
}

/** Drops the counts and introduces them anew, as the migration of an older ledger does. */
function recount(db: Database.Database): void {
  db.exec(`DROP TRIGGER task_added; DROP TRIGGER task_moved;
    DROP INDEX incidents_by_state; DROP INDEX incidents_by_skill; DROP INDEX releases_by_state;
    DROP INDEX groups_by_time; DROP INDEX incidents_by_time; DROP INDEX releases_by_time;
    CREATE INDEX runs_without_score ON runs (reward_status) WHERE score IS NULL;
    ${TABLES.map((table) => `DROP TABLE ${table};`).join("")}
    PRAGMA user_version = ${BEFORE.length}`);
  migrate(db, [...BEFORE, TOTALS, MINUTES]);
}

test("a ledger of an older hone is counted when it is opened, whole or not at all", (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  const db = new Database(file);
  migrate(db, BEFORE);
  const insert = db.prepare(
    `INSERT INTO runs (id, task_id, skill, version, started_at, is_held_out, reward_status, score,
       reward, input, expectation, trace)
     VALUES (?, 't', 'old', 'v1', ?, 0, 'scored', ?, '{}', '{}', 'null', '{}')`,
  );
  for (const [n, score] of [0.25, 1, 0.25].entries()) insert.run(`run-${n}`, n * 3_600_000, score);
  // Something of that name is in the way: the step fails at its end, and is taken back whole.
  db.exec("CREATE TABLE releases_by_state (x)");
  assert.throws(() => migrate(db));
  assert.equal(db.pragma("user_version", { simple: true }), BEFORE.length);
  assert.equal(db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'hours'").get(), undefined);
  db.exec("DROP TABLE releases_by_state");
  db.close();

  using store = openStore(file);

  assert.deepEqual(store.versionStats("old"), [
    {
      version: "v1",
      runs: 3,
      scored: 3,
      meanReward: 0.5,
      bestReward: 1,
      firstAt: 0,
      lastAt: 7_200_000,
    },
  ]);
  assert.equal(store.statsByHour(0).length, 3);
  store.addRun(aRun({ id: "new", skill: "old", version: "v1", startedAt: 9, reward: scored(0) }));
  assert.equal(store.versionStats("old")[0]?.runs, 4);
});
