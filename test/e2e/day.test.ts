import assert from "node:assert/strict";
import Database from "better-sqlite3";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { DAY_SKILLS } from "../support/day/day-skills.ts";
import { liveDay, type Day } from "../support/day/live-day.ts";
import { survivors } from "../support/daemon.ts";

/** Of bench/day.ts, which measures as well, a part: two cores of CI have other work to do. */
const CALLS = 1_200;

test("a bad day: each accepted call is answered once, each drift is repaired or told, no regression stays", async (t) => {
  await using day = await liveDay({
    calls: CALLS,
    lanes: 2,
    everyMs: 100,
    restMs: 1_000,
    tell: (line) => t.diagnostic(line),
  });

  t.diagnostic(`${day.tally.answered.length} calls answered, ${day.tally.cut} cut`);
  t.diagnostic(`daemons ended by ${day.ended.join(", ")}`);
  assertAnsweredOnce(day);
  const { gone, ...others } = day.drifts;
  assert.equal(gone, "reported", "nobody can answer what the vendor took away");
  const repaired = Object.values(others).filter((end) => end === "repaired");
  assert.ok(
    repaired.length >= 3,
    "a machine with much else to do may run out of time, and says so",
  );
  const reported = DAY_SKILLS.filter(
    ({ drift }) => drift !== null && day.drifts[drift] === "reported",
  );
  const known = reported.map(({ name }) => name);
  assert.deepEqual(
    day.wrong.filter((name) => !known.includes(name)),
    [],
    "whatever is wrong in the end was told, and no person's mistake is left",
  );
  assert.equal(day.ended.filter((how) => how === "SIGKILL").length, 2);
  assert.equal(day.ended.at(-1), "0", "it ends in order");
  assert.deepEqual(await survivors(day.begun, 10_000), []);
  assert.equal(git(day, "fsck", "--full", "--no-dangling", "--no-progress"), "");
  assert.equal(git(day, "rev-parse", "main"), git(day, "rev-parse", "hone"));
});

/** By what the clients were told, and by what the ledger has. */
function assertAnsweredOnce({ tally, dir }: Day): void {
  const { answered, cut } = tally;
  const runs = answered.map(({ run }) => run);
  const tasks = answered.filter(({ task }) => task !== "");
  using ledger = openLedger(dir);
  const column = (sql: string): readonly string[] =>
    ledger.db.prepare(sql).pluck().all() as string[];

  assert.ok(answered.length >= CALLS);
  assert.equal(new Set(DAY_SKILLS.map(({ name }) => name)).size, 12);
  assert.equal(new Set(answered.map(({ client }) => client)).size, 4);
  assert.equal(new Set(answered.map(({ skill }) => skill)).size, 12);
  assert.equal(new Set(runs).size, runs.length, "no run answers two calls");
  const known = new Set(column("SELECT id FROM runs"));
  assert.deepEqual(
    runs.filter((run) => !known.has(run)),
    [],
    "no answer is lost",
  );
  const twice = "SELECT task_id FROM runs GROUP BY task_id HAVING count(*) > 1";
  assert.deepEqual(column(twice), [], "nothing is run twice");
  const left = "SELECT id FROM tasks WHERE state <> 'done'";
  assert.deepEqual(column(left), [], "no task is left");
  const submitted = new Set(column("SELECT id FROM tasks WHERE source = 'dataset'"));
  assert.deepEqual(submitted, new Set(tasks.map(({ task }) => task)));
  const told = new Set([...runs, ...tally.probes]);
  const untold = [...known].filter((run) => !told.has(run)).length;
  assert.ok(untold <= cut, `${untold} runs answer nobody, and ${cut} calls were cut by two kills`);
}

function openLedger(dir: string): Disposable & { readonly db: Database.Database } {
  const db = new Database(path.join(dir, "data/run/hone.db"), { readonly: true });
  return { db, [Symbol.dispose]: () => db.close() };
}

function git({ dir }: Day, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: dir, encoding: "utf8" }).trim();
}
