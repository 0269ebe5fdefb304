import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { chooseArms, type Pull } from "../../src/domain/bandit.ts";
import { drawBeta, uniformFrom } from "../../src/domain/beta.ts";

/** An arm's chance of success, and its cost. */
type Arm = { readonly chance: number; readonly cost: number };
type World = Readonly<Record<string, Arm>>;

const ALIKE = { cost: 1_000 };
const THREE: World = {
  low: { chance: 0.2, ...ALIKE },
  best: { chance: 0.6, ...ALIKE },
  mid: { chance: 0.35, ...ALIKE },
};

/** Rounds of eight pulls in a world; the arms of each round. */
function played(rounds: number, worldAt: (round: number) => World, seed = 1): string[][] {
  const luck = uniformFrom(seed * 7_919);
  let pulls: readonly Pull[] = [];
  return Array.from({ length: rounds }, (_, round) => {
    const world = worldAt(round);
    const arms = chooseArms({ arms: Object.keys(world), count: 8, seed: seed + round }, pulls);
    const made = arms.map((arm): Pull => {
      const { chance = 0, cost = 0 } = world[arm] ?? {};
      return { arm, reward: luck() < chance ? 1 : 0, cost };
    });
    pulls = [...made, ...pulls];
    return [...arms];
  });
}

function shareOf(arm: string, rounds: readonly (readonly string[])[]): number {
  const all = rounds.flat();
  return all.filter((one) => one === arm).length / all.length;
}

function regretOf(rounds: readonly (readonly string[])[], world: World): number {
  const best = Math.max(...Object.values(world).map(({ chance }) => chance));
  return rounds.flat().reduce((sum, arm) => sum + best - (world[arm]?.chance ?? 0), 0);
}

suite("a bandit over arms", () => {
  test("finds the best one, whatever the seed", () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const rounds = played(60, () => THREE, seed * 1_000);
      assert.ok(shareOf("best", rounds.slice(30)) > 0.6, `seed ${seed}`);
    }
  });

  test("regrets less and less for each pull", () => {
    const seeds = Array.from({ length: 20 }, (_, at) => 1 + at * 1_000);
    const regret = (from: number, to: number): number =>
      seeds.reduce((sum, seed) => {
        return sum + regretOf(played(to, () => THREE, seed).slice(from), THREE);
      }, 0);

    const [first, later, last] = [regret(0, 20), regret(20, 40), regret(180, 200)];

    assert.ok(first > later && later > last, `${first}, ${later}, ${last}`);
    // Whoever does not learn regrets as much each time: (0.6 - 0.38) for each of 8 x 20 pulls.
    const unlearnt = seeds.length * 20 * 8 * (0.6 - (0.2 + 0.6 + 0.35) / 3);
    assert.ok(last < unlearnt / 5, `${last} of ${unlearnt}`);
  });

  test("notices that another arm has become the best", () => {
    const turned: World = {
      ...THREE,
      best: { chance: 0.1, ...ALIKE },
      low: { chance: 0.8, ...ALIKE },
    };

    const rounds = played(140, (round) => (round < 70 ? THREE : turned));

    assert.ok(shareOf("best", rounds.slice(40, 70)) > 0.6);
    assert.ok(shareOf("low", rounds.slice(110)) > 0.6);
  });

  test("takes the cheaper of two that are as good", () => {
    const world = { dear: { chance: 0.5, cost: 4_000 }, cheap: { chance: 0.5, cost: 400 } };

    const rounds = played(60, () => world);

    assert.ok(shareOf("cheap", rounds.slice(20)) > 0.8);
  });

  test("does not take what is cheap and never right", () => {
    const world = { right: { chance: 0.7, cost: 4_000 }, cheap: { chance: 0.05, cost: 1 } };

    const rounds = played(60, () => world);

    assert.ok(shareOf("right", rounds.slice(20)) > 0.8);
  });

  test("tries all of them while nothing is known", () => {
    const [first = []] = played(1, () => THREE);

    assert.deepEqual(new Set(first), new Set(Object.keys(THREE)));
  });

  test("is replayable: the same pulls and seed give the same choice", () => {
    assert.deepEqual(
      played(20, () => THREE, 5),
      played(20, () => THREE, 5),
    );
    assert.notDeepEqual(
      played(20, () => THREE, 5),
      played(20, () => THREE, 6),
    );
  });

  test("has no arm where there is none, and forgets those that are gone", () => {
    const pulls = [{ arm: "gone", reward: 1, cost: 1 }];

    assert.deepEqual(chooseArms({ arms: [], count: 3, seed: 1 }, pulls), []);
    assert.deepEqual(chooseArms({ arms: ["one"], count: 2, seed: 1 }, pulls), ["one", "one"]);
  });
});

test("draws from Beta(a, b) have its mean and its variance", () => {
  const uniform = uniformFrom(11);
  for (const [a, b] of [
    [1, 1],
    [2, 5],
    [40, 10],
  ] as const) {
    const draws = Array.from({ length: 20_000 }, () => drawBeta(a, b, uniform));
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
    const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length;
    assert.ok(draws.every((draw) => draw > 0 && draw < 1));
    assert.ok(Math.abs(mean - a / (a + b)) < 0.01, `mean ${mean} of Beta(${a}, ${b})`);
    const expected = (a * b) / ((a + b) ** 2 * (a + b + 1));
    assert.ok(Math.abs(variance / expected - 1) < 0.05, `variance ${variance} of Beta(${a}, ${b})`);
  }
});
