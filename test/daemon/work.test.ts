import assert from "node:assert/strict";
import { test } from "node:test";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const DOUBLE = skillFiles("double", {
  source: "export function double(n: number): number {\n  return n * 2;\n}\n",
  cases: [{ name: "two", input: { n: 1 }, expect: 2 }],
});

test("an input that does not fit the skill's types is refused before it is run", async (t) => {
  const files = await aWorkspace(t, DOUBLE);
  await using workspace = await files.open();
  const { operations, house } = workspace;

  const called = operations.call({ skill: "double", input: { n: "1", m: 2 } });

  await assert.rejects(called, { code: "bad-input", message: /n: expected number.*"m"/ });
  assert.deepEqual(house.store.runs({ skill: "double", heldOut: false, limit: 10 }), []);
  assert.deepEqual((await operations.incidents({ all: true }))["incidents"], []);
});

test("a queued task whose input does not fit fails with the reason, and the others are done", async (t) => {
  const files = await aWorkspace(t, DOUBLE);
  await using workspace = await files.open();
  const { operations } = workspace;

  await operations.submit({
    tasks: [
      { id: "bad", skill: "double", input: {} },
      { id: "good", skill: "double", input: { n: 21 } },
    ],
  });

  const bad = await operations.task({ id: "bad" });
  const good = await operations.task({ id: "good" });
  assert.equal(bad["state"], "failed");
  assert.equal(
    bad["error"],
    "bad-input: double cannot take this input: n: expected number, received undefined",
  );
  assert.equal(good["state"], "done");
});
