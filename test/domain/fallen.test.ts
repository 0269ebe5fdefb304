import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fallText,
  hasFallen,
  hasRecovered,
  recovered,
  seen,
  UNWATCHED,
  type RewardWatch,
} from "../../src/domain/fallen.ts";
import { randomFrom } from "../support/random.ts";

const SETTINGS = { falseAlarmRuns: 10_000, tolerance: 0.02 };

const times = (count: number, of: number): readonly number[] =>
  Array.from({ length: count }, () => of);

const after = (rewards: readonly number[], before: RewardWatch = UNWATCHED): RewardWatch =>
  rewards.reduce((watch, reward) => seen(watch, reward, SETTINGS), before);

/** Runs of one kind until the fall is seen, or as many as there may be. */
function runsUntilSeen(before: RewardWatch, next: () => number, most: number): number {
  let watch = before;
  for (let run = 1; run <= most; run += 1) {
    watch = seen(watch, next(), SETTINGS);
    if (hasFallen(watch, SETTINGS)) return run;
  }
  return Infinity;
}

test("nothing is said of a version before a hundred rewards are known", () => {
  assert.equal(hasFallen(after(times(99, 0)), SETTINGS), false);
  assert.equal(after(times(99, 1)).floor, null);
  assert.ok((after(times(100, 1)).floor ?? 0) > 0.85);
});

test("a reward that falls to nought is seen within ten runs, however long all was well", () => {
  for (const well of [100, 1_000, 10_000]) {
    const runs = runsUntilSeen(after(times(well, 1)), () => 0, 100);
    assert.ok(runs <= 10, `${runs} after ${well}`);
  }
});

test("a mean that falls from 0.95 to 0.7 is seen within six hundred runs", () => {
  const random = randomFrom(1);
  const usual = after(Array.from({ length: 500 }, () => (random() < 0.95 ? 1 : 0)));

  assert.ok(runsUntilSeen(usual, () => (random() < 0.7 ? 1 : 0), 2_000) <= 600);
});

test("a steady reward gives fewer false alarms than one in 10,000 runs", () => {
  const random = randomFrom(7);
  let alarms = 0;
  for (const mean of [0.5, 0.9, 0.99]) {
    let watch = UNWATCHED;
    for (let run = 0; run < 40_000; run += 1) {
      watch = seen(watch, random() < mean ? 1 : 0, SETTINGS);
      if (!hasFallen(watch, SETTINGS)) continue;
      alarms += 1;
      watch = recovered(watch);
    }
  }
  assert.ok(alarms <= 12, `${alarms} alarms in 120,000 runs`);
});

test("a fall is over when the latest twenty are what they used to be, and is seen again", () => {
  const fallen = after([...times(100, 1), ...times(15, 0)]);
  assert.ok(hasFallen(fallen, SETTINGS) && !hasRecovered(fallen));
  assert.match(fallText(fallen), /^mean reward 0\.25 over the last 20 runs, 1\.00 over/);

  const well = after(times(20, 1), fallen);

  assert.ok(hasRecovered(well));
  assert.ok(hasFallen(after(times(15, 0), recovered(well)), SETTINGS));
});
