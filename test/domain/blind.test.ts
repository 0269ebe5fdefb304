import assert from "node:assert/strict";
import { test } from "node:test";
import { blindness } from "../../src/domain/blind.ts";

const times = (count: number, of: number): readonly number[] =>
  Array.from({ length: count }, () => of);
const told = (rewards: readonly number[], isExpected = false): string | null =>
  blindness({ rewards, isExpected }, 1_000);

test("B20 a thousand runs that all score 1 where nobody says what is expected: the reward is blind", () => {
  assert.match(told(times(1_000, 1)) ?? "", /each of the last 1000 runs scored 1/);
  assert.equal(told(times(999, 1)), null);
  assert.equal(told([...times(500, 1), 0.9, ...times(999, 1)]), null);
});

test("runs that score 1 because they are as expected are what is hoped for", () => {
  assert.equal(told(times(5_000, 1), true), null);
});

test("a score in between that never moves is blind after a hundred runs, whatever is expected", () => {
  assert.match(told(times(100, 0.5), true) ?? "", /each of the last 100 runs scored 0.5/);
  assert.equal(told(times(99, 0.5)), null);
});

test("nothing but noughts is a matter of incidents, and nothing at all is nothing", () => {
  assert.equal(told(times(2_000, 0)), null);
  assert.equal(told([]), null);
  assert.equal(blindness({ rewards: times(2_000, 1), isExpected: false }, 0), null);
});
