import assert from "node:assert/strict";
import { test } from "node:test";
import { drain } from "../../src/daemon/work.ts";
import type { Json } from "../../src/domain/json.ts";
import type { Task } from "../../src/domain/task.ts";
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

test("values nested deeper than a skill can take are refused, called or queued", async (t) => {
  const files = await aWorkspace(t, DOUBLE);
  await using workspace = await files.open();
  const { operations, house } = workspace;
  const deep = JSON.parse("[".repeat(2_000) + "]".repeat(2_000)) as Json;

  const refused = [
    operations.call({ skill: "double", input: { n: deep } }),
    operations.call({ skill: "double", input: { n: 1 }, expect: deep }),
    operations.submit({ tasks: [{ skill: "double", input: { n: 1 }, expect: deep }] }),
    operations.submit({ tasks: [{ skill: "double", input: { n: deep } }] }),
  ];

  for (const each of refused) {
    await assert.rejects(each, { code: "bad-input", message: /nested deeper than 64 levels/ });
  }
  assert.equal(house.store.countTasks().queued, 0);
});

test("a bug in one task ends the work loudly, and is not met again", async (t) => {
  const files = await aWorkspace(t, DOUBLE);
  await using workspace = await files.open();
  const { house } = workspace;
  const faulty = { ...house, inputProblems: () => assert.fail("no such thing") };
  for (const id of ["one", "two"]) house.store.addTask(aTaskFor(id));

  const working = drain({ ...workspace, house: faulty });

  await assert.rejects(working, /no such thing/);
  const { state, error } = house.store.task("one") ?? {};
  assert.deepEqual([state, error], ["failed", "bug: no such thing"]);
  const told = house.store.events(0, 100).map(({ kind }) => kind);
  assert.ok(told.includes("task.failed"));
  house.store.requeueRunning();
  await drain(workspace);
  assert.equal(house.store.task("two")?.state, "done");
});

function aTaskFor(id: string): Task {
  return {
    id,
    skill: "double",
    input: { n: 1 },
    expectation: null,
    source: "dataset",
    createdAt: 1,
  };
}
