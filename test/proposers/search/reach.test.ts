import assert from "node:assert/strict";
import { test } from "node:test";
import { Reach } from "../../../src/proposers/search/reach.ts";

test("a search that found nothing goes on", () => {
  const reach = new Reach(10_000, () => 0);

  reach.note(50_000, false);

  assert.deepEqual([reach.room, reach.first], [Infinity, Infinity]);
});

test("past its first find it looks at some thousand more, or at three times as many", () => {
  const [early, late] = [new Reach(10_000, () => 0), new Reach(10_000, () => 0)];

  early.note(10, true);
  early.note(1_000, true);
  late.note(4_000, true);

  assert.deepEqual([early.room, early.first], [2_000, 10]);
  assert.deepEqual([late.room, late.first], [12_000, 4_000]);
});

test("it does so for a share of the budget at most", () => {
  let now = 0;
  const reach = new Reach(10_000, () => now);
  reach.note(10, true);

  now = 2_000;

  assert.equal(reach.room, 0);
});

test("whoever wants more is served further", () => {
  let now = 0;
  const reach = new Reach(10_000, () => now);
  reach.note(10, true);
  now = 2_000;

  reach.extend();

  assert.equal(reach.room, 20);
});
