import assert from "node:assert/strict";
import { test } from "node:test";
import { evidenceOf, winsWanting } from "../../src/domain/paired.ts";

test("nothing seen is no evidence, wins are, and losses speak against", () => {
  assert.equal(evidenceOf({ wins: 0, losses: 0 }), 1);
  assert.ok(evidenceOf({ wins: 6, losses: 0 }) >= 20);
  assert.ok(evidenceOf({ wins: 5, losses: 0 }) < 20);
  assert.ok(evidenceOf({ wins: 3, losses: 3 }) < 1);
});

test("what is wanting is told in wins", () => {
  assert.equal(winsWanting({ wins: 0, losses: 0 }, 0.05), 6);
  assert.equal(winsWanting({ wins: 6, losses: 0 }, 0.05), 0);
  assert.ok(winsWanting({ wins: 6, losses: 2 }, 0.05) > 3);
});

test("the expected wealth at even odds never exceeds the stake, exactly computed", () => {
  for (let questions = 1; questions <= 12; questions += 1) {
    let expected = 0;
    let ways = 1;
    for (let wins = 0; wins <= questions; wins += 1) {
      expected += (ways / 2 ** questions) * evidenceOf({ wins, losses: questions - wins });
      ways = (ways * (questions - wins)) / (wins + 1);
    }
    assert.ok(Math.abs(expected - 1) < 1e-9, `${questions}: ${expected}`);
  }
});

test("wording that is no better is taken for better at most once in twenty, whenever one stops", () => {
  let state = 42;
  const coin = (): boolean =>
    ((state = (state * 1_103_515_245 + 12_345) % 2 ** 31) >> 16) % 2 === 0;
  let fooled = 0;
  for (let round = 0; round < 2_000; round += 1) {
    let [wins, losses] = [0, 0];
    for (let asked = 0; asked < 60; asked += 1) {
      if (coin()) wins += 1;
      else losses += 1;
      if (evidenceOf({ wins, losses }) < 20) continue;
      fooled += 1;
      break;
    }
  }
  assert.ok(fooled / 2_000 <= 0.05, `${fooled} of 2000`);
});
