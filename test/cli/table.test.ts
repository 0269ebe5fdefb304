import assert from "node:assert/strict";
import { test } from "node:test";
import { tableOf } from "../../src/cli/table.ts";

const HEAD = ["ID", "WHY", "RUNS"];
const ROWS = [
  ["i1", "the address has moved and nobody said so", "12"],
  ["i2", "slow", "3"],
];

test("a table without an end of line is whole", () => {
  assert.equal(tableOf(HEAD, ROWS)[1], "i1  the address has moved and nobody said so    12");
});

test("on a narrower page the widest column gives way, and no other", () => {
  assert.deepEqual(tableOf(HEAD, ROWS, { width: 30 }), [
    "ID  WHY                   RUNS",
    "i1  the address has mov…    12",
    "i2  slow                     3",
  ]);
});

test("a column keeps a width that can be read, however narrow the page is", () => {
  assert.equal(tableOf(HEAD, ROWS, { width: 5 })[1], "i1  the address has…    12");
});
