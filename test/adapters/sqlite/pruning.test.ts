import assert from "node:assert/strict";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { openStore } from "../../../src/adapters/sqlite/sqlite-store.ts";
import type { Store } from "../../../src/ports/store.ts";
import { anIncident, aRelease, aRun, aTask, temporaryFolder } from "../../support/ledger.ts";

const OLD = 1_000;
const NEW = 9_000;
const BEFORE = { runsBefore: 5_000, eventsBefore: 5_000, most: 100 };

function aStore(t: TestContext): Store {
  const store = openStore(path.join(temporaryFolder(t), "hone.db"));
  t.after(() => store[Symbol.dispose]());
  return store;
}

/** So many runs that those before them are no longer among the newest of the skill. */
function many(store: Store, skill = "parse-price"): void {
  for (let n = 0; n < 500; n += 1) {
    store.addRun(aRun({ id: `${skill}-new-${n}`, taskId: "gone", skill, startedAt: NEW }));
  }
}

function pruneAll(store: Store): Omit<ReturnType<Store["prune"]>, "isOver"> {
  const sum = { runs: 0, tasks: 0, events: 0 };
  for (let turn = 0; turn < 100; turn += 1) {
    const { isOver, ...removed } = store.prune(BEFORE);
    sum.runs += removed.runs;
    sum.tasks += removed.tasks;
    sum.events += removed.events;
    if (isOver && removed.runs + removed.tasks + removed.events === 0) return sum;
  }
  throw new Error("it does not come to an end");
}

test("old runs go with their tasks, and old events; what was counted of them stays (T18)", (t) => {
  const store = aStore(t);
  for (let n = 0; n < 250; n += 1) {
    store.addTask(aTask({ id: `task-${n}`, createdAt: OLD }));
    store.claimTask();
    store.addRun(aRun({ id: `run-${n}`, taskId: `task-${n}`, startedAt: OLD }));
    store.addEvent({ at: OLD, kind: "old", skill: null, detail: {} });
  }
  many(store);
  const last = store.addEvent({ at: NEW, kind: "new", skill: null, detail: {} });
  const counted = [store.versionStats("parse-price"), store.countTasks()];

  assert.deepEqual(pruneAll(store), { runs: 250, tasks: 250, events: 250 });

  assert.equal(store.run("run-7"), null);
  assert.equal(store.task("task-7"), null);
  assert.deepEqual(
    store.events(0, 10).map(({ id }) => id),
    [last],
  );
  assert.deepEqual([store.versionStats("parse-price"), store.countTasks()], counted);
  assert.equal(store.integrity(), "ok");
});

test("the newest runs of a skill stay, however old they are", (t) => {
  const store = aStore(t);
  for (let n = 0; n < 520; n += 1) store.addRun(aRun({ id: `run-${n}`, startedAt: OLD }));

  assert.equal(pruneAll(store).runs, 20);

  assert.equal(store.run("run-19"), null);
  assert.ok(store.run("run-20"));
});

test("what an incident that is not over is about stays, and what opened any incident", (t) => {
  const store = aStore(t);
  for (const id of ["first", "second", "lone"]) store.addRun(aRun({ id, startedAt: OLD }));
  for (const id of ["first", "second"]) store.joinIncident(anIncident({ firstRunId: "first" }), id);
  many(store);

  assert.equal(pruneAll(store).runs, 1);
  assert.deepEqual(
    ["first", "second", "lone"].map((id) => store.run(id) !== null),
    [true, true, false],
  );

  store.setIncident("incident-1", { state: "repaired" });
  assert.equal(pruneAll(store).runs, 1);
  assert.ok(store.run("first"));
});

test("runs of a release under watch stay, and those of the version before it", (t) => {
  const store = aStore(t);
  for (const version of ["before", "made", "other"]) {
    store.addRun(aRun({ id: version, version, startedAt: OLD }));
  }
  store.addPendingRelease(aRelease({ commit: "made", previous: "before", skill: "parse-price" }));
  store.setRelease("made", "watching", "");
  many(store);

  assert.equal(pruneAll(store).runs, 1);
  assert.ok(store.run("before"));
  assert.ok(store.run("made"));

  store.setRelease("made", "kept", "");
  assert.equal(pruneAll(store).runs, 2);
});

test("tasks that wait stay, whatever their age; those that failed go", (t) => {
  const store = aStore(t);
  store.addTask(aTask({ id: "failed", createdAt: OLD }));
  store.claimTask();
  store.failTask("failed", "no");
  store.addTask(aTask({ id: "waits", createdAt: OLD }));
  store.addRun(aRun({ startedAt: NEW }));
  store.addEvent({ at: NEW, kind: "new", skill: null, detail: {} });

  assert.deepEqual(pruneAll(store), { runs: 0, tasks: 1, events: 0 });
  assert.equal(store.claimTask()?.task.id, "waits");
});
