import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import Database from "better-sqlite3";
import { keepWalSmall } from "../../../src/adapters/sqlite/checkpoints.ts";
import { openStore, openStoreReadOnly } from "../../../src/adapters/sqlite/sqlite-store.ts";
import { HoneError } from "../../../src/domain/errors.ts";
import type { Store } from "../../../src/ports/store.ts";
import { LedgerProcess } from "../../support/beside.ts";
import { aRun, aTask, temporaryFolder } from "../../support/ledger.ts";

const LIMIT = 64 * 1_048_576;

test("the WAL stays under 64 MB over 100,000 writes with a reader at work", async (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  using store = openStore(file);
  addEvents(store, 100);
  await using reader = new LedgerProcess("read", file);
  await reader.line();
  using _timer = keepWalSmall(store, { everyMs: 50, limitBytes: LIMIT, onTrouble: assert.fail });

  let largest = 0;
  for (let written = 0; written < 100_000; written += 500) {
    addEvents(store, 500);
    largest = Math.max(largest, statSync(`${file}-wal`).size);
    await setImmediate();
  }

  assert.ok(largest < LIMIT, `the WAL grew to ${largest} bytes`);
});

test("a reader that keeps the WAL is noticed, and the WAL is emptied when it is gone", async (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  using store = openStore(file);
  addEvents(store, 10);
  const stuck = new Database(file, { readonly: true });
  t.after(() => stuck.close());
  const open = stuck.prepare("SELECT * FROM events").iterate();
  open.next();
  addEvents(store, 100);

  const trouble = await new Promise<string>((resolve) => {
    const timer = keepWalSmall(store, { everyMs: 5, limitBytes: 1, onTrouble: resolve });
    t.after(() => timer[Symbol.dispose]());
  });

  assert.match(trouble, /write-ahead log/);
  assert.ok(store.checkpoint() > 0);
  open.return?.();
  assert.equal(store.checkpoint(), 0);
});

test("no read outlives its call", (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  using store = openStore(file);
  store.addTask(aTask());
  store.addRun(aRun());
  using reader = openStoreReadOnly(file);
  const reads: readonly ((of: Store) => unknown)[] = [
    (of) => of.task("task-1"),
    (of) => of.countTasks(),
    (of) => of.run("run-1"),
    (of) => of.runs({ skill: "parse-price", heldOut: false, limit: 1 }),
    (of) => of.versionStats("parse-price"),
    (of) => of.rewards("parse-price", "v1", 1),
    (of) => of.countUnscored(),
    (of) => of.incidents({ limit: 1 }),
    (of) => of.runsOf("incident-1", 1),
    (of) => of.groups("incident-1"),
    (of) => of.candidate("candidate-1"),
    (of) => of.candidates({ limit: 1 }),
    (of) => of.refusedDigests("s"),
    (of) => of.releases({ limit: 1 }),
    (of) => of.events(0, 1),
    (of) => of.kvList("parse-price", ""),
    (of) => of.note("n"),
    (of) => of.integrity(),
  ];

  const leftOpen = reads.filter((read) => {
    addEvents(store, 1);
    read(reader);
    addEvents(store, 1);
    return store.checkpoint() !== 0;
  });

  assert.deepEqual(leftOpen.map(String), []);
});

test("a checkpoint that fails is told and does not end the process", async (t) => {
  const failing = {
    checkpoint(): number {
      throw new HoneError("store-failed", "the disk is full");
    },
  };

  const trouble = await new Promise<string>((resolve) => {
    const timer = keepWalSmall(failing, { everyMs: 1, limitBytes: LIMIT, onTrouble: resolve });
    t.after(() => timer[Symbol.dispose]());
    // The timer alone does not keep the process alive.
    const alive = setTimeout(() => undefined, 5_000);
    t.after(() => clearTimeout(alive));
  });

  assert.equal(trouble, "the disk is full");
});

test("a store that is closed leaves no WAL", (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  const store = openStore(file);
  addEvents(store, 10);

  store[Symbol.dispose]();

  assert.equal(existsSync(`${file}-wal`), false);
});

function addEvents(store: Store, count: number): void {
  for (let n = 0; n < count; n += 1) {
    store.addEvent({ at: n, kind: "run.scored", skill: "a", detail: { text: "x".repeat(100) } });
  }
}
