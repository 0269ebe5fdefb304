import assert from "node:assert/strict";
import { test } from "node:test";
import { exchangesOf, isInfrastructureFault, type Answer } from "../../src/domain/trace.ts";
import { aTrace } from "../support/ledger.ts";

const THREW = { status: "threw", error: { name: "Error", message: "x", frames: [] } } as const;

test("requests come in the order of asking, with the answers that came later", () => {
  const steps = [
    { requests: [asked(1), asked(2)], answers: [told(2)], now: 1 },
    { requests: [asked(3)], answers: [told(1)], now: 2 },
  ];

  const exchanges = exchangesOf({ steps });

  assert.deepEqual(
    exchanges.map(({ request, answer }) => [request.id, answer?.id]),
    [
      [1, 1],
      [2, 2],
      [3, undefined],
    ],
  );
});

test("a network fault excuses a run that did not return, and only such a run", () => {
  const steps = [{ requests: [asked(1)], answers: [refused("network")], now: 1 }];

  assert.equal(isInfrastructureFault(aTrace({ steps, outcome: THREW })), true);
  assert.equal(
    isInfrastructureFault(aTrace({ steps, outcome: { status: "timed-out", afterMs: 1 } })),
    true,
  );
  assert.equal(isInfrastructureFault(aTrace({ steps })), false);
});

test("what the skill itself caused is no infrastructure fault", () => {
  for (const cause of ["denied", "unrecorded", "failed"] as const) {
    const steps = [{ requests: [asked(1)], answers: [refused(cause)], now: 1 }];

    assert.equal(isInfrastructureFault(aTrace({ steps, outcome: THREW })), false, cause);
  }
  assert.equal(isInfrastructureFault(aTrace({ outcome: THREW })), false);
});

function asked(id: number): { id: number; kind: string; args: null } {
  return { id, kind: "fetch", args: null };
}

function told(id: number): Answer {
  return { id, status: "resolved", value: null };
}

function refused(cause: "denied" | "unrecorded" | "network" | "failed"): Answer {
  return { id: 1, status: "rejected", name: "TypeError", message: "fetch failed", cause };
}
