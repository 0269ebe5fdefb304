import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { backoffMs, inheritedFrom, nextTryAt, worldsBackoffMs } from "../../src/domain/incident.ts";
import { anIncident } from "../support/ledger.ts";

const DAY_MS = 86_400_000;

suite("the pause of an incident", () => {
  test("doubles with each refused group, to a day at most (B11, T12)", () => {
    const pauses = [1, 2, 3, 4, 30].map((rejections) => backoffMs(rejections, 60_000));

    assert.deepEqual(pauses, [60_000, 120_000, 240_000, 480_000, DAY_MS]);
  });

  test("is an hour at most where the world was at fault, or what a person set (B5)", () => {
    assert.deepEqual(
      [1, 2, 30].map((groups) => worldsBackoffMs(groups, 60_000)),
      [60_000, 120_000, 3_600_000],
    );
    assert.equal(worldsBackoffMs(5, 7_200_000), 7_200_000);
  });

  test("is told as long as it lasts, and only of what is tried again", () => {
    const paused = anIncident({ state: "no-change", retryAt: 5_000 });

    assert.equal(nextTryAt(paused, 1_000), 5_000);
    assert.equal(nextTryAt(paused, 5_000), null);
    assert.equal(nextTryAt({ ...paused, state: "closed" }, 1_000), null);
    assert.equal(nextTryAt({ ...paused, retryAt: 9 * DAY_MS }, 1_000), null, "a wrong clock's");
  });

  test("goes over to the same failure of another version, unless it was repaired (B11)", () => {
    const before = anIncident({ state: "no-change", rejections: 3, retryAt: 9_000 });

    assert.deepEqual(inheritedFrom(before), { rejections: 3, retryAt: 9_000 });
    assert.deepEqual(inheritedFrom({ ...before, rejections: 2 }), { rejections: 2, retryAt: 0 });
    assert.equal(inheritedFrom({ ...before, rejections: 0 }), null);
    assert.equal(inheritedFrom({ ...before, state: "repaired" }), null);
    assert.equal(inheritedFrom(undefined), null);
  });
});
