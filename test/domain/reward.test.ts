import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "../support/property.ts";
import { combine, fallsShort, isScore, type Reward } from "../../src/domain/reward.ts";

const unscored: Reward = { status: "unscored", reason: "nothing to say" };
const badReward: Reward = { status: "bad-reward", reason: "answered 2" };

test("a score is a finite number from 0 to 1 and nothing else", () => {
  for (const score of [0, -0, 0.5, 1, Number.MIN_VALUE]) assert.equal(isScore(score), true);
  for (const other of [true, "1", NaN, Infinity, -Infinity, 1 + Number.EPSILON, -1e-9, 1n]) {
    assert.equal(isScore(other), false, String(other));
  }
  for (const other of [null, undefined, [1], { valueOf: () => 1 }, Object(1)]) {
    assert.equal(isScore(other), false);
  }
});

test("parts are weighed, and their components carry their names", () => {
  const reward = combine([
    { name: "code", weight: 2, reward: scored(1, { outcome: 1 }) },
    { name: "api", weight: 1, reward: scored(0.4, { status: 0.4 }) },
  ]);

  assert.deepEqual(reward, scored((2 + 0.4) / 3, { "code.outcome": 1, "api.status": 0.4 }));
});

test("an unscored part is not a zero", () => {
  assert.deepEqual(
    combine([
      { name: "code", weight: 1, reward: scored(0.5) },
      { name: "api", weight: 9, reward: unscored },
    ]),
    scored(0.5),
  );
  assert.equal(combine([{ name: "api", weight: 1, reward: unscored }]).status, "unscored");
  assert.equal(combine([]).status, "unscored");
});

test("one bad part makes the whole bad, whatever its weight", () => {
  assert.deepEqual(
    combine([
      { name: "code", weight: 1, reward: scored(1) },
      { name: "mine", weight: 0, reward: badReward },
      { name: "api", weight: 1, reward: unscored },
    ]),
    { status: "bad-reward", reason: "mine: answered 2" },
  );
});

test("the whole lies between the least and the largest part, and is 1 when all are", () => {
  const weight = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
  const score = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(weight, score), { minLength: 1 }), (parts) => {
      const reward = combine(
        parts.map(([weight, score]) => ({ name: "x", weight, reward: scored(score) })),
      );
      const scores = parts.map(([, score]) => score);
      assert.ok(reward.status === "scored" && isScore(reward.score));
      assert.ok(reward.score >= Math.min(...scores) - 1e-9);
      assert.ok(reward.score <= Math.max(...scores) + 1e-9);
    }),
  );
  fc.assert(
    fc.property(fc.array(weight, { minLength: 1 }), (weights) => {
      const reward = combine(weights.map((weight) => ({ name: "x", weight, reward: scored(1) })));
      assert.equal(reward.status === "scored" && reward.score, 1);
    }),
  );
});

test("only a scored run below the threshold falls short", () => {
  assert.equal(fallsShort(scored(0.5), 0.6), true);
  assert.equal(fallsShort(scored(0.6), 0.6), false);
  assert.equal(fallsShort(unscored, 1), false);
  assert.equal(fallsShort(badReward, 1), false);
});

function scored(score: number, components: Readonly<Record<string, number>> = {}): Reward {
  return { status: "scored", score, components };
}
