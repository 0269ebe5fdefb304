import assert from "node:assert/strict";
import { test } from "node:test";
import type { Proposal } from "../../src/domain/candidate.ts";
import type { GateName } from "../../src/domain/gate.ts";
import { isRefuted, surerWithout } from "../../src/domain/refuted.ts";

test("the share of what is refuted falls to the rest in proportion", () => {
  const refuted = [proposal(0.5), proposal(0.3)];

  const { confidence = 0 } = surerWithout(refuted, proposal(0.1));

  assert.ok(Math.abs(confidence - 0.5) < 1e-9);
});

test("proposals of one behaviour do not make each other surer, and count once", () => {
  const once = surerWithout([proposal(0.5)], proposal(0.2)).confidence;

  assert.equal(surerWithout([proposal(0.5)], proposal(0.5)).confidence, 0.5);
  assert.equal(surerWithout([proposal(0.5), proposal(0.5)], proposal(0.2)).confidence, once);
});

test("what nobody weighed, and what others weighed, stays as it is", () => {
  const { confidence: _, ...unweighed } = proposal(0.5);
  const other = proposal(0.4);
  const drift: Proposal = { ...other, origin: { ...other.origin, proposer: "drift" } };

  assert.equal(surerWithout([proposal(0.5)], unweighed), unweighed);
  assert.equal(surerWithout([proposal(0.5)], drift).confidence, 0.4);
});

test("nothing becomes surer than certain", () => {
  const all = [proposal(0.5), proposal(0.45), proposal(0.4)];

  assert.equal(surerWithout(all, proposal(0.35)).confidence, 1);
});

test("cases refute what a candidate does, its form does not", () => {
  assert.equal(isRefuted(failingAt("held-out")), true);
  assert.equal(isRefuted(failingAt("regression")), true);
  assert.equal(isRefuted(failingAt("types")), false);
});

function proposal(confidence: number): Proposal {
  const origin = { proposer: "search", operator: "number", seed: 1, parent: null } as const;
  return { edits: [], origin, reason: "", confidence };
}

function failingAt(gate: GateName): Parameters<typeof isRefuted>[0] {
  const verdicts = [{ gate, status: "fail", reason: "", durationMs: 0 } as const];
  return { candidateId: "one", verdicts, reward: 0 };
}
