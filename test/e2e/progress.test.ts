import assert from "node:assert/strict";
import { test } from "node:test";
import { areaSkill } from "../support/area-skill.ts";
import { aWorkspace } from "../support/workspace.ts";

type Reckoned = {
  readonly meanReward: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
};

test("a repair tells that it began and every candidate as it is verified, before its end", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  await hone.operations.call({ skill: "area", input: { width: 2, height: 3 }, expect: 6 });

  await hone.operations.improve({ skill: "area" });

  const told = hone.house.store.events(0, 100).filter(({ skill }) => skill === "area");
  const kinds = told.map(({ kind }) => kind).filter((kind) => !kind.startsWith("release."));
  const [began, verified] = [told[1], told[2]];
  assert.deepEqual(kinds, [
    "incident.opened",
    "improve.started",
    "candidate.verified",
    "group.released",
  ]);
  assert.equal(began?.detail["incident"], told[0]?.detail["incident"]);
  assert.equal(typeof began?.detail["candidates"], "number");
  assert.deepEqual([verified?.detail["status"], verified?.detail["gate"]], ["pass", "approval"]);
  const { activity } = hone.house.store;
  assert.equal(activity.lastEvent(), told.at(-1)?.id);
});

test("what happened is told in figures: what was released, how it did, and under whose name one decides", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  const { operations } = hone;
  await operations.call({ skill: "area", input: { width: 2, height: 3 }, expect: 6 });
  await operations.improve({ skill: "area" });
  await operations.call({ skill: "area", input: { width: 4, height: 3 }, expect: 12 });

  const seen = await operations.activity({ days: 1 });

  const { counts, releases, rewards, you, paused, stepMs } = seen as unknown as {
    readonly counts: {
      readonly runs: number;
      readonly releases: number;
      readonly repaired: number;
    };
    readonly releases: readonly { readonly before: Reckoned; readonly after: Reckoned }[];
    readonly rewards: readonly { readonly runs: number }[];
    readonly you: string;
    readonly paused: string | null;
    readonly stepMs: number;
  };
  assert.deepEqual([counts.runs, counts.releases, counts.repaired], [2, 1, 1]);
  assert.equal(
    rewards.reduce((sum, { runs }) => sum + runs, 0),
    2,
  );
  assert.equal(stepMs, 60_000, "a young ledger is shown by the minute");
  assert.equal(releases[0]?.before.meanReward, 0);
  assert.equal(releases[0]?.after.meanReward, 1);
  assert.equal(releases[0]?.before.interval?.high.toFixed(3), "0.793");
  assert.notEqual(you, "");
  assert.equal(paused, null);
});
