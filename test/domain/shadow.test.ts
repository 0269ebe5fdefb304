import assert from "node:assert/strict";
import { test } from "node:test";
import { evidenceOfDrop, isRepeatable } from "../../src/domain/shadow.ts";
import { randomFrom } from "../support/random.ts";
import { aSkill } from "../support/shop.ts";

const lost = { before: 1, after: 0 };
const same = { before: 1, after: 1 };
const won = { before: 0, after: 1 };

const times = <T>(count: number, of: T): readonly T[] => Array.from({ length: count }, () => of);

test("no pair is no evidence, equal pairs are none, and won ones speak against a drop", () => {
  assert.ok(Math.abs(evidenceOfDrop([], 0.02) - 1) < 1e-12);
  assert.ok(evidenceOfDrop(times(50, same), 0.02) < 1);
  assert.ok(evidenceOfDrop(times(5, won), 0.02) < 0.3);
});

test("ten pairs that only the version before satisfies are enough at 1 %", () => {
  assert.ok(evidenceOfDrop(times(10, lost), 0.02) >= 100);
  assert.ok(evidenceOfDrop([...times(20, same), ...times(10, lost)], 0.02) >= 100);
});

test("a drop within the tolerance is called one with a chance of at most alpha, looked at each time", () => {
  const random = randomFrom(20_270_328);
  const trials = 2_000;
  let alarms = 0;
  for (let trial = 0; trial < trials; trial += 1) {
    const pairs: (typeof lost)[] = [];
    for (let pair = 0; pair < 60; pair += 1) {
      const drops = random();
      pairs.push(drops < 0.16 ? lost : drops < 0.3 ? won : same);
      if (evidenceOfDrop(pairs, 0.02) >= 1 / 0.05) {
        alarms += 1;
        break;
      }
    }
  }
  assert.ok(alarms / trials <= 0.05, `${alarms} of ${trials}`);
});

test("evidence beyond all numbers stays a number", () => {
  assert.ok(Number.isFinite(evidenceOfDrop(times(20_000, lost), 0)));
});

for (const [capabilities, answer] of [
  [{}, true],
  [{ clock: true, random: true, log: true }, true],
  [{ kv: true }, false],
  [{ fetch: ["api.test"] }, false],
  [{ skills: ["area"] }, false],
  [{ model: true }, false],
] as const) {
  test(`a skill with ${JSON.stringify(capabilities)} may be repeated: ${answer}`, () => {
    const skill = aSkill();
    const manifest = { ...skill.manifest, capabilities };

    assert.equal(isRepeatable({ ...skill, manifest }), answer);
  });
}
