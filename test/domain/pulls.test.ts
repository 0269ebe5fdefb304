import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { VerdictStatus } from "../../src/domain/gate.ts";
import type { Attempt } from "../../src/domain/group.ts";
import { pullsOf } from "../../src/domain/pulls.ts";
import { aCandidate } from "../support/ledger.ts";

/** An attempt that came from samples of these arms. */
function anAttempt(arms: readonly string[], reward: number, status: VerdictStatus): Attempt {
  const samples = arms.map((arm) => ({ arm, tokens: 100 }));
  const model = { name: "m", prompt: "p", temperature: 0.8, samples };
  const origin = { proposer: "model", operator: "sample", seed: 1, parent: null, model } as const;
  const verdict = { gate: "regression", status, reason: "", durationMs: 1 } as const;
  const verification = { candidateId: "c", verdicts: [verdict], reward };
  return { candidate: aCandidate({ origin }), patched: null, verification };
}

function rewardsOf(attempts: readonly Attempt[]): readonly [string, number][] {
  return pullsOf(attempts).map(({ arm, reward }) => [arm, reward]);
}

suite("what a group teaches", () => {
  test("is which ways to ask did better than its mean, each sample counted", () => {
    const group = [anAttempt(["a", "b"], 1, "pass"), anAttempt(["c"], 0.5, "fail")];

    assert.deepEqual(rewardsOf(group), [
      ["a", 1],
      ["b", 1],
      ["c", 0],
    ]);
  });

  test("is nothing where all came to the same", () => {
    assert.deepEqual(rewardsOf([anAttempt(["a"], 0, "fail"), anAttempt(["b"], 0, "fail")]), []);
    assert.deepEqual(rewardsOf([anAttempt(["a"], 1, "pass")]), []);
    assert.deepEqual(rewardsOf([]), []);
  });

  test("is that answers by heart, which pass what is visible and are refused, earn nothing (B12)", () => {
    const group = [anAttempt(["games"], 1, "fail"), anAttempt(["tries"], 0.5, "fail")];

    assert.deepEqual(rewardsOf(group), [
      ["games", 0],
      ["tries", 1],
    ]);
  });

  test("is nothing of a candidate of which the world kept the verdict (B19)", () => {
    const group = [
      anAttempt(["a"], 1, "infra-error"),
      anAttempt(["b"], 1, "needs-data"),
      anAttempt(["c"], 0, "fail"),
    ];

    assert.deepEqual(rewardsOf(group), [
      ["b", 1],
      ["c", 0],
    ]);
  });

  test("leaves out who was not asked in some way: searches, and models without a ledger", () => {
    const search = { ...anAttempt([], 1, "pass"), candidate: aCandidate() };

    assert.deepEqual(
      rewardsOf([search, anAttempt([], 0, "fail"), anAttempt(["a"], 1, "pass")]),
      [],
    );
  });
});
