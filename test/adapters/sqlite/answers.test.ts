import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { openStore } from "../../../src/adapters/sqlite/sqlite-store.ts";
import { temporaryFolder } from "../../support/ledger.ts";

test("an answer is forgotten after a day, also by the file", (t) => {
  let now = 1_000;
  using store = openStore(path.join(temporaryFolder(t), "hone.db"), { now: () => now });
  const kept = { request: "digest", answer: { n: 1 } };
  store.keepAnswer("old", kept);

  now += 86_400_001;

  assert.equal(store.keptAnswer("old"), null);
  store.keepAnswer("new", kept);
  assert.deepEqual(store.keptAnswer("new"), kept);
  now -= 86_400_001;
  assert.equal(store.keptAnswer("old"), null, "it is not there any more");
});
