import assert from "node:assert/strict";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { openStore } from "../../../src/adapters/sqlite/sqlite-store.ts";
import type { Store } from "../../../src/ports/store.ts";
import {
  aCandidateRecord,
  aGroup,
  anIncident,
  aRelease,
  aRun,
  scored,
  temporaryFolder,
} from "../../support/ledger.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

function aStore(t: TestContext): Store {
  const store = openStore(path.join(temporaryFolder(t), "hone.db"));
  t.after(() => store[Symbol.dispose]());
  return store;
}

/** Runs of a skill at some times, each with its score; null: it was not scored. */
function ran(
  store: Store,
  skill: string,
  version: string,
  rows: readonly [number, number | null][],
) {
  rows.forEach(([startedAt, score], at) => {
    const reward =
      score === null ? ({ status: "unscored", reason: "none" } as const) : scored(score);
    store.addRun(
      aRun({ id: `${skill}-${version}-${startedAt}-${at}`, skill, version, startedAt, reward }),
    );
  });
}

test("rewards are told in steps, and a step without a score has no mean", (t) => {
  const store = aStore(t);
  ran(store, "a", "v1", [
    [10 * MINUTE, 1],
    [10 * MINUTE + 59_999, 0],
    [11 * MINUTE, null],
    [16 * MINUTE, 0.5],
  ]);

  const { activity } = store;

  assert.deepEqual(activity.rewards({ from: 0, to: DAY }, MINUTE), [
    { at: 10 * MINUTE, runs: 2, scored: 2, meanReward: 0.5 },
    { at: 11 * MINUTE, runs: 1, scored: 0, meanReward: null },
    { at: 16 * MINUTE, runs: 1, scored: 1, meanReward: 0.5 },
  ]);
  assert.deepEqual(activity.rewards({ from: 11 * MINUTE, to: DAY }, 5 * MINUTE), [
    { at: 10 * MINUTE, runs: 1, scored: 0, meanReward: null },
    { at: 15 * MINUTE, runs: 1, scored: 1, meanReward: 0.5 },
  ]);
  assert.equal(activity.firstRunIn({ from: 11 * MINUTE, to: DAY }), 11 * MINUTE);
  assert.equal(activity.firstRunIn({ from: DAY, to: 2 * DAY }), null);
});

test("the skills that got worse come first, and those that stood still are left out", (t) => {
  const store = aStore(t);
  ran(store, "better", "v1", [
    [DAY, 0.2],
    [2 * DAY, 0.8],
  ]);
  ran(store, "worse", "v1", [
    [DAY, 0.9],
    [2 * DAY, 0.1],
  ]);
  ran(store, "new", "v1", [[2 * DAY + 5, 1]]);
  ran(store, "gone", "v1", [[DAY, 1]]);

  const trends = store.activity.trends({ from: 2 * DAY, to: 2 * DAY + 10 }, 10);

  assert.deepEqual(
    trends.map(({ skill, meanReward, before }) => [skill, meanReward, before.meanReward]),
    [
      ["worse", 0.1, 0.9],
      ["new", 1, null],
      ["better", 0.8, 0.2],
    ],
  );
});

test("a release is told with the live rewards before it and since", (t) => {
  const store = aStore(t);
  ran(store, "parse-price", "v1", [
    [1, 0],
    [2, 1],
    [3, null],
  ]);
  store.addPendingRelease(aRelease({ commit: "v2", previous: "v1", releasedAt: 10 }));
  store.addPendingRelease(aRelease({ commit: "x", skill: "other", previous: "w", releasedAt: 11 }));
  store.promote("v2");
  ran(store, "parse-price", "v2", [[12, 1]]);

  const [effect, ...others] = store.activity.releaseEffects({ from: 0, to: DAY }, 10);

  assert.deepEqual(others, [], "one that is only announced is none");
  assert.equal(effect?.commit, "v2");
  assert.deepEqual(effect?.before, { runs: 3, scored: 2, meanReward: 0.5 });
  assert.deepEqual(effect?.after, { runs: 1, scored: 1, meanReward: 1 });
});

test("what was refused is told with its gates", (t) => {
  const store = aStore(t);
  store.joinIncident(anIncident(), "run-1");
  const refused = (id: string, gate: "policy" | "regression") => ({
    ...aCandidateRecord(),
    state: "rejected" as const,
    groupId: "group-1",
    candidate: { ...aCandidateRecord().candidate, id },
    verification: {
      candidateId: id,
      reward: 0,
      verdicts: [{ gate, status: "fail", reason: "no", durationMs: 1 } as const],
    },
  });
  store.addGroup(aGroup({ id: "group-1", result: "no-change", at: 50 }), [
    refused("c1", "policy"),
    refused("c2", "regression"),
    refused("c3", "regression"),
  ]);

  const { activity } = store;

  const gates = [
    { gate: "regression", candidates: 2 },
    { gate: "policy", candidates: 1 },
  ];
  assert.deepEqual(activity.refusedBy({ from: 0, to: 100 }), gates);
  assert.deepEqual(activity.refusedBy({ from: 51, to: 100 }), []);
  const [refusal] = activity.refusals({ from: 0, to: 100 }, 10);
  assert.deepEqual(refusal?.gates, gates);
  assert.equal(refusal?.incidentId, "incident-1");
  const counts = activity.counts({ from: 0, to: 100 });
  assert.equal(counts.refused, 3);
  assert.equal(activity.counts({ from: 0, to: 10_000 }).incidents, 1);
});
