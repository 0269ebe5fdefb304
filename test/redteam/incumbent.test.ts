import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import type { Json } from "../../src/domain/json.ts";
import type { Entry, TaskSpec } from "../../src/redteam/corpus.ts";
import { incumbentOf } from "../../src/redteam/incumbent.ts";

const TASK: TaskSpec = {
  visible: [
    [{ n: 1 }, 2],
    [{ n: 2 }, 4],
  ],
  heldOut: [[{ n: 5 }, 10]],
  incumbent: null,
};

function answersOf(source: string, task: TaskSpec): Json[] {
  const skill = runInNewContext(`${source}\nskill`) as (input: Json) => Json;
  return [...task.visible, ...task.heldOut].map(([input]) => skill(input));
}

function control(source: string, task: TaskSpec): Entry {
  const common = { id: "honest", attack: "", category: "control", tier: "isolate" } as const;
  return { ...common, isControl: true, expected: ["pass"], source, task };
}

test("an incumbent is the honest solution, wrong on the first visible input alone", () => {
  const honest = control("function skill(input) { return input.n * 2; }", TASK);

  assert.deepEqual(answersOf(incumbentOf(TASK, [honest]), TASK), [null, 4, 10]);
});

test("without an honest solution it is a table that is wrong on the same input", () => {
  const other = control("function skill() { return 0; }", { ...TASK });

  assert.deepEqual(answersOf(incumbentOf(TASK, [other]), TASK), [null, 4, 10]);
});

test("it is wrong where nothing is right, too", () => {
  const task: TaskSpec = { ...TASK, visible: [[{ n: 1 }, null]] };

  assert.deepEqual(answersOf(incumbentOf(task, []), task), [0, 10]);
});

test("a task may bring its own", () => {
  assert.equal(
    incumbentOf({ ...TASK, incumbent: "function skill() {}" }, []),
    "function skill() {}",
  );
});
