import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "../support/property.ts";
import { parseConfig } from "../../src/config.ts";
import { regressed, type WatchSettings } from "../../src/domain/regressed.ts";
import { randomFrom } from "../support/random.ts";

const SETTINGS: WatchSettings = parseConfig({}, "the defaults").watch;

/** Draws the next reward, given those so far. */
type Draw = (random: () => number, past: readonly number[]) => number;

suite("no regression is claimed where there is none", () => {
  test("0/1 rewards: exactly computed, at every look of the watch, with the largest accepted drop", () => {
    for (const [before, mean] of [
      [5, 1],
      [20, 0.95],
      [40, 0.9],
    ] as const) {
      const chance = chanceOfFalseAlarm({ before, mean, after: 60 });

      assert.ok(chance <= SETTINGS.alpha, `${chance} with ${before} runs of mean ${mean}`);
    }
  });

  test("the expected wealth never exceeds the stake, exactly computed", () => {
    for (const mean of [0.02, 0.3, 0.7, 1]) {
      for (const [before, after] of [
        [0, 12],
        [8, 8],
        [20, 4],
      ] as const) {
        const wealth = expectedWealth(before, mean, after);

        assert.ok(wealth <= 1 + 1e-9, `${wealth} with mean ${mean}`);
      }
    }
  });

  const draws: Readonly<Record<string, Draw>> = {
    uniform: (random) => random(),
    "five values": (random) => Math.floor(random() * 5) / 4,
    "mostly one, sometimes anything": (random) => (random() < 0.9 ? 1 : random()),
    "nearly constant": (random) => 0.8 + 0.01 * random(),
    "dependent on the past, with the same conditional mean": (random, past) =>
      (past.at(-1) ?? 0) > 0.5 ? Number(random() < 0.7) : 0.6 + 0.2 * random(),
  };
  for (const [name, draw] of Object.entries(draws)) {
    test(`${name}: the rate of false rollbacks over the whole watch is at most alpha`, () => {
      const rounds = 150;

      const alarms = countAlarms(rounds, draw, draw, { every: 10, most: 100 });

      // Four standard deviations above what alpha allows: 0.043 for 150 rounds.
      assert.ok(alarms / rounds <= SETTINGS.alpha + 4 * Math.sqrt(SETTINGS.alpha / rounds));
    });
  }

  test("a short history of the old version cannot accuse the new one of a small drop", () => {
    const after = alternating(200, 0.5);

    assert.equal(regressed({ before: [], after: zeros(199) }, SETTINGS).status, "watching");
    assert.equal(regressed({ before: [1, 1, 1], after }, SETTINGS).status, "kept");
  });

  test("an improvement is kept", () => {
    assert.equal(
      regressed({ before: zeros(50), after: ones(SETTINGS.maximumRuns) }, SETTINGS).status,
      "kept",
    );
  });
});

suite("a regression is found", () => {
  test("from always right to always wrong: as soon as a verdict is allowed", () => {
    for (const before of [5, 20, 200]) {
      const found = runsUntilFound(ones(before), () => 0);

      assert.ok(found <= 12, `after ${found} runs, with ${before} before`);
    }
  });

  test("from 0.95 to 0.5: within 40 runs, nine times in ten", () => {
    const random = randomFrom(1);
    const found = Array.from({ length: 60 }, () => {
      const before = Array.from({ length: 100 }, () => Number(random() < 0.95));
      return runsUntilFound(before, () => Number(random() < 0.5));
    });

    const late = found.filter((runs) => runs > 40).length;

    assert.ok(late <= 6, `${late} of 60 took longer`);
  });

  test("a drop of a continuous reward from 0.9 to 0.7 is found within the watch", () => {
    const random = randomFrom(2);
    const before = Array.from({ length: 200 }, () => 0.85 + 0.1 * random());

    assert.ok(runsUntilFound(before, () => 0.6 + 0.2 * random()) <= SETTINGS.maximumRuns);
  });
});

suite("the decision", () => {
  test("waits for the minimum of runs, whatever they are", () => {
    const decision = regressed({ before: ones(200), after: zeros(9) }, SETTINGS);

    assert.equal(decision.status, "watching");
    assert.ok(decision.wealth > 1 / SETTINGS.alpha);
    assert.match(decision.reason, /10 runs are the minimum/);
  });

  test("a drop within the tolerance is kept", () => {
    const settings = { ...SETTINGS, tolerance: 0.3 };

    assert.equal(
      regressed({ before: ones(200), after: alternating(200, 0.8) }, settings).status,
      "kept",
    );
  });

  test("depends on the rewards, not on their order, and its wealth is a finite number", () => {
    const rewards = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 });
    fc.assert(
      fc.property(rewards, rewards, (before, after) => {
        const forward = regressed({ before, after }, SETTINGS);
        const backward = regressed(
          { before: before.toReversed(), after: after.toReversed() },
          SETTINGS,
        );
        assert.ok(Number.isFinite(forward.wealth) && forward.wealth >= 0);
        assert.ok(Math.abs(forward.wealth - backward.wealth) <= 1e-9 * forward.wealth + 1e-12);
      }),
      { numRuns: 50 },
    );
  });

  test("extreme evidence stays a finite number", () => {
    const { wealth } = regressed({ before: ones(10_000), after: zeros(10_000) }, SETTINGS);

    assert.ok(Number.isFinite(wealth));
  });
});

/**
 * The exact chance that 0/1 rewards whose mean falls by the tolerance are ever called a regression:
 * a walk over the numbers of ones, for the wealth depends on those only.
 */
function chanceOfFalseAlarm(of: { before: number; mean: number; after: number }): number {
  const now = of.mean - SETTINGS.tolerance;
  let alarm = 0;
  for (let ones = 0; ones <= of.before; ones += 1) {
    const weight = binomial(of.before, ones, of.mean);
    if (weight < 1e-9) continue;
    let chances = [1];
    for (let runs = 1; runs <= of.after; runs += 1) {
      chances = Array.from({ length: runs + 1 }, (_, right) => {
        const fromLess = (chances[right - 1] ?? 0) * now;
        const chance = fromLess + (chances[right] ?? 0) * (1 - now);
        if (chance < 1e-12 || !isAlarm(of.before, ones, runs, right)) return chance;
        alarm += weight * chance;
        return 0;
      });
    }
  }
  return alarm;
}

function isAlarm(before: number, ones: number, after: number, right: number): boolean {
  const input = { before: counted(before, ones), after: counted(after, right) };
  return regressed(input, SETTINGS).status === "regressed";
}

function expectedWealth(before: number, mean: number, after: number): number {
  let expected = 0;
  for (let ones = 0; ones <= before; ones += 1) {
    for (let right = 0; right <= after; right += 1) {
      const chance = binomial(before, ones, mean) * binomial(after, right, mean - 0.02);
      const input = { before: counted(before, ones), after: counted(after, right) };
      expected += chance * regressed(input, SETTINGS).wealth;
    }
  }
  return expected;
}

function binomial(n: number, k: number, p: number): number {
  let chance = (1 - p) ** (n - k) * p ** k;
  for (let i = 1; i <= k; i += 1) chance *= (n - k + i) / i;
  return chance;
}

function countAlarms(
  rounds: number,
  old: Draw,
  next: Draw,
  looks: { readonly every: number; readonly most: number },
): number {
  const random = randomFrom(7);
  return Array.from({ length: rounds }).filter(() => {
    const before = drawn(old, 40, random);
    const after = drawn(next, looks.most, random);
    for (let runs = looks.every; runs <= looks.most; runs += looks.every) {
      const input = { before, after: after.slice(0, runs) };
      if (regressed(input, { ...SETTINGS, tolerance: 0 }).status === "regressed") return true;
    }
    return false;
  }).length;
}

function drawn(draw: Draw, count: number, random: () => number): number[] {
  const rewards: number[] = [];
  while (rewards.length < count) rewards.push(draw(random, rewards));
  return rewards;
}

function runsUntilFound(before: readonly number[], next: () => number): number {
  const after: number[] = [];
  while (after.length < SETTINGS.maximumRuns) {
    after.push(next());
    if (regressed({ before, after }, SETTINGS).status === "regressed") return after.length;
  }
  return Infinity;
}

function counted(runs: number, ones: number): number[] {
  return Array.from({ length: runs }, (_, at) => Number(at < ones));
}

function alternating(runs: number, share: number): number[] {
  return Array.from({ length: runs }, (_, at) =>
    Number(Math.floor((at + 1) * share) > Math.floor(at * share)),
  );
}

function ones(runs: number): number[] {
  return Array.from({ length: runs }, () => 1);
}

function zeros(runs: number): number[] {
  return Array.from({ length: runs }, () => 0);
}
