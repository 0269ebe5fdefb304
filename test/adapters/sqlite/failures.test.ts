import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { retryingStore } from "../../../src/adapters/sqlite/retrying-store.ts";
import { openStore } from "../../../src/adapters/sqlite/sqlite-store.ts";
import { HoneError } from "../../../src/domain/errors.ts";
import type { Store } from "../../../src/ports/store.ts";
import { LedgerProcess } from "../../support/beside.ts";
import { temporaryFolder } from "../../support/ledger.ts";

test("a full disk is told, nothing that was acknowledged is lost, and reads go on", async (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  await using filler = new LedgerProcess("fill", file, 2_048);
  const told = JSON.parse(await filler.line());
  await filler.ended();

  using store = openStore(file);

  assert.equal(told.code, "store-failed");
  assert.equal(told.retryable, true);
  assert.match(told.hint, /disk full/);
  assert.equal(told.said.length, 1);
  assert.match(told.said[0], /^addEvent: the ledger's addEvent failed/);
  assert.equal(told.stillReads, 9);
  assert.ok(told.written > 0);
  assert.equal(store.events(0, 100_000).length, told.written);
  assert.equal(store.integrity(), "ok");
});

test("kill -9 in mid-write, twenty times: sound each time, nothing half-written or lost (B76)", async (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  let acknowledged = 0;
  for (let round = 0; round < 20; round += 1) {
    {
      await using writer = new LedgerProcess("write", file);
      await writer.line();
      await pause(Math.random() * 40);
      await writer[Symbol.asyncDispose]();
      acknowledged = Number(writer.said.at(-1));
    }
    using store = openStore(file);

    assert.equal(store.recovered, null);
    assert.equal(store.integrity(), "ok");
    assertWhole(store, acknowledged);
  }
});

test("a write that meets a passing failure is tried again after a pause", () => {
  const pauses: number[] = [];
  const told: string[] = [];
  const store = retryingStore(failing(2, true), {
    onFailure: (what) => told.push(what),
    pausesMs: [1, 2, 3],
    pause: (ms) => pauses.push(ms),
  });

  assert.equal(store.addEvent(EVENT), 42);

  assert.deepEqual(pauses, [1, 2]);
  assert.deepEqual(told, []);
});

test("a write that keeps failing is reported once and thrown (B74)", () => {
  const told: string[] = [];
  const store = retryingStore(failing(9, true), {
    onFailure: (what, error) => told.push(`${what}: ${error.message}`),
    pausesMs: [1, 1],
    pause: () => undefined,
  });

  assert.throws(() => store.addEvent(EVENT), { code: "store-failed" });

  assert.deepEqual(told, ["addEvent: the disk is full"]);
});

test("a failure that will not pass is not tried again", () => {
  const told: string[] = [];
  const store = retryingStore(failing(1, false), {
    onFailure: (what) => told.push(what),
    pause: () => assert.fail("no pause"),
  });

  assert.throws(() => store.addEvent(EVENT), { code: "store-failed" });

  assert.deepEqual(told, ["addEvent"]);
});

test("a bug is neither retried nor reported as a failure of the world", () => {
  const broken = { addEvent: () => assert.fail("a bug") } as unknown as Store;
  const store = retryingStore(broken, {
    onFailure: () => assert.fail("not a failure of the world"),
  });

  assert.throws(() => store.addEvent(EVENT), { message: "a bug" });
});

test("another process's write is waited for, then said to be in the way", (t) => {
  const file = path.join(temporaryFolder(t), "hone.db");
  using store = openStore(file);
  const other = new Database(file);
  t.after(() => other.close());
  other.exec("BEGIN IMMEDIATE");

  assert.throws(() => store.setNote("a", "b"), {
    code: "store-failed",
    retryable: true,
    hint: /Another process/,
  });

  other.exec("ROLLBACK");
  store.setNote("a", "b");
  assert.equal(store.note("a"), "b");
});

const EVENT = { at: 1, kind: "run.scored", skill: null, detail: {} };

/** A store whose `addEvent` fails a number of times before it works. */
function failing(times: number, retryable: boolean): Store {
  let left = times;
  return {
    addEvent() {
      left -= 1;
      if (left >= 0) throw new HoneError("store-failed", "the disk is full", { retryable });
      return 42;
    },
  } as unknown as Store;
}

/** Every acknowledged write is there, and each group has all its candidates and their verdicts. */
function assertWhole(store: Store, acknowledged: number): void {
  const groups = store.groups("incident-1");
  assert.ok(groups.length >= acknowledged, `${groups.length} groups of ${acknowledged}`);
  for (const { id } of groups.slice(0, 3)) {
    const candidates = store.candidates({ groupId: id, limit: 99 });
    assert.equal(candidates.length, 5);
    assert.ok(candidates.every(({ verification }) => verification.verdicts.length === 1));
  }
  const last = store.task(`task-${acknowledged}`);
  assert.equal(last?.state, "done");
  assert.equal(store.run(last?.runId ?? "")?.taskId, last?.task.id);
}
