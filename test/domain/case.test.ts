import assert from "node:assert/strict";
import { test } from "node:test";
import { isSameCase, type Case } from "../../src/domain/case.ts";

const one: Case = {
  name: "one",
  args: [1, { a: 2, b: 3 }],
  expectation: { kind: "value", value: true },
  world: { now: 5 },
};

test("cases of one content are the same, whatever they are called", () => {
  const again: Case = { ...one, name: "again", args: [1, { b: 3, a: 2 }] };

  assert.equal(isSameCase(one, again), true);
});

test("cases of one name are the same; of other content and name they are not", () => {
  const other: Case = { ...one, world: {} };

  assert.equal(isSameCase(one, other), true);
  assert.equal(isSameCase(one, { ...other, name: "other" }), false);
});
