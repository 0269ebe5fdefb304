import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { takeLock } from "../../../src/adapters/sqlite/lock.ts";
import { LedgerProcess } from "../../support/beside.ts";
import { temporaryFolder } from "../../support/ledger.ts";

test("one holder at a time, in one process and across processes", async (t) => {
  const file = path.join(temporaryFolder(t), "run", "hone.lock");
  const lock = takeLock(file);
  assert.ok(lock);

  assert.equal(takeLock(file), null);
  await using other = new LedgerProcess("hold", file);
  assert.equal(await other.line(), "refused");
  lock[Symbol.dispose]();

  using again = takeLock(file);
  assert.ok(again);
});

test("the lock of a process that was killed is free at once", async (t) => {
  const file = path.join(temporaryFolder(t), "hone.lock");
  const holder = new LedgerProcess("hold", file);
  assert.equal(await holder.line(), "held");
  assert.equal(takeLock(file), null);

  await holder[Symbol.asyncDispose]();

  using lock = takeLock(file);
  assert.ok(lock);
});

test("a lock that cannot be made is a failure of the world", (t) => {
  const file = path.join(temporaryFolder(t), "hone.lock");
  mkdirSync(file);

  assert.throws(() => takeLock(file), { code: "store-failed" });
});
