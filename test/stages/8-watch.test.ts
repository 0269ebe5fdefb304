import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run } from "../../src/domain/task.ts";
import { watch, type WatchPorts } from "../../src/stages/8-watch.ts";
import { aRelease, aRun, scored } from "../support/ledger.ts";
import { aSkill, scripted, type Script } from "../support/shop.ts";

const SETTINGS = { minimumRuns: 5, maximumRuns: 20, alpha: 0.05, tolerance: 0.02 };
const MADE = aRelease({ commit: "new", previous: "old", state: "watching" });
const PREVIOUS = aSkill({ version: "old" });

/** Live runs of the new version that fell short: 7 was wanted. */
const POOR: readonly Run[] = Array.from({ length: 6 }, (_, at) =>
  aRun({
    id: `run-${at}`,
    version: "new",
    input: { text: `x${at}` },
    expectation: { kind: "value", value: 7 },
    reward: scored(0),
  }),
);

function portsOf(
  rewards: { readonly before: readonly number[]; readonly after: readonly number[] },
  previous: Script,
  skillAt: WatchPorts["skillAt"] = async () => PREVIOUS,
): WatchPorts & { readonly asked: readonly string[] } {
  const store = {
    rewards: (_skill: string, version: string) =>
      version === "new" ? rewards.after : rewards.before,
    runs: () => POOR,
  };
  return { ...scripted({ [PREVIOUS.program.text]: previous }), store, skillAt, settings: SETTINGS };
}

const GOOD = Array.from({ length: 20 }, () => 1);
const BAD = Array.from({ length: 12 }, () => 0);

test("keeps watching before the minimum of runs, however bad they are", async (t) => {
  const ports = portsOf({ before: GOOD, after: [0, 0, 0, 0] }, () => 7);

  const decision = await watch(MADE, ports, t.signal);

  assert.equal(decision.status, "watching");
  assert.deepEqual(ports.asked, []);
});

test("a drop is a regression where the version before does better on the same inputs", async (t) => {
  const decision = await watch(
    MADE,
    portsOf({ before: GOOD, after: BAD }, () => 7),
    t.signal,
  );

  assert.equal(decision.status, "regressed");
});

test("a drop that the version before shares is the world's: kept, with the reason", async (t) => {
  const decision = await watch(
    MADE,
    portsOf({ before: GOOD, after: BAD }, () => 0),
    t.signal,
  );

  assert.equal(decision.status, "kept");
  assert.match(decision.reason, /the version before fails on the same inputs/);
});

test("where there was no version before, there is nothing to go back to", async (t) => {
  const ports = portsOf(
    { before: GOOD, after: BAD },
    () => 7,
    async () => null,
  );

  assert.equal((await watch(MADE, ports, t.signal)).status, "kept");
});

test("a release that does no worse is kept after the most runs", async (t) => {
  const ports = portsOf({ before: GOOD, after: GOOD }, () => 7);

  assert.equal((await watch(MADE, ports, t.signal)).status, "kept");
});
