import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "../support/property.ts";
import { advantagesOf } from "../../src/domain/candidate.ts";

const score = fc.double({ min: 0, max: 1, noNaN: true });

test("an advantage is the distance from the group's mean in standard deviations", () => {
  assert.deepEqual(advantagesOf([0, 1]), [-1, 1]);
  assert.deepEqual(
    advantagesOf([0, 0, 0, 1])?.map((a) => a.toFixed(3)),
    ["-0.577", "-0.577", "-0.577", "1.732"],
  );
});

test("a group without spread teaches nothing", () => {
  assert.equal(advantagesOf([]), null);
  assert.equal(advantagesOf([0.5]), null);
  assert.equal(advantagesOf([0.3, 0.3, 0.3]), null);
  assert.equal(advantagesOf([0.1 + 0.2, 0.3]), null, "rounding is no spread");
});

test("advantages have mean 0 and standard deviation 1, and keep the order", () => {
  fc.assert(
    fc.property(fc.array(score, { minLength: 2 }), (rewards) => {
      const advantages = advantagesOf(rewards);
      if (advantages === null) return;
      const mean = advantages.reduce((sum, a) => sum + a, 0) / advantages.length;
      const square = advantages.reduce((sum, a) => sum + a * a, 0) / advantages.length;
      assert.ok(Math.abs(mean) < 1e-6);
      assert.ok(Math.abs(square - 1) < 1e-6);
      for (const [at, reward] of rewards.entries()) {
        if (reward > (rewards[0] ?? 0)) assert.ok((advantages[at] ?? 0) >= (advantages[0] ?? 0));
      }
    }),
  );
});
