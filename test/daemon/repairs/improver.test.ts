import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { OpenWorkspace } from "../../../src/daemon/compose.ts";
import { startImprover } from "../../../src/daemon/repairs/improver.ts";
import { improve } from "../../../src/loop.ts";
import { areaSkill } from "../../support/area-skill.ts";
import { aWorkspace } from "../../support/workspace.ts";

const MISSED = { skill: "area", input: { width: 2, height: 3 }, expect: 6 };
/** No area, so that nothing repairs it. */
const IMPOSSIBLE = { ...MISSED, expect: -7 };

test("works on what opens, and brings the release to the person's branch", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  await using improver = startImprover(hone);
  await hone.operations.call(MISSED);

  improver.wake();
  await until(() => hone.house.store.releases({ limit: 1 })[0]?.state === "watching");
  await until(() => workspace.git("rev-parse", "main") === workspace.git("rev-parse", "hone"));

  assert.equal((await hone.operations.call(MISSED))["value"], 6);
});

test("leaves an incident alone until its pause is over", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({ improve: { backoffMs: 3_600_000, budgetMs: 1_000 } });
  await using improver = startImprover(hone);
  await hone.operations.call(IMPOSSIBLE);

  improver.wake();
  await until(() => groupsIn(hone) === 1 && stateIn(hone) === "no-change");
  for (let at = 0; at < 5; at += 1) {
    improver.wake();
    await pause(20);
  }

  assert.equal(groupsIn(hone), 1);
});

test("each refused group doubles the pause", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({ improve: { backoffMs: 200, budgetMs: 500 } });
  await using improver = startImprover(hone);
  await hone.operations.call(IMPOSSIBLE);

  improver.wake();
  await until(() => groupsIn(hone) >= 3);

  const [incident] = hone.house.store.incidents({ limit: 1 });
  const [third, second, first] = hone.house.store.groups(incident?.id ?? "");
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  assert.ok(second.at - first.at >= 200);
  assert.ok(third.at - second.at >= 400);
});

test("does nothing while the workspace is paused", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  hone.house.store.setNote("paused", "yes");
  await using improver = startImprover(hone);
  await hone.operations.call(MISSED);

  improver.wake();
  await pause(200);

  assert.equal(groupsIn(hone), 0);
});

test("a repair under way ends when repairs are paused, and begins again when they go on", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({ improve: { budgetMs: 60_000 } });
  await using improver = startImprover(hone);
  await hone.operations.call(IMPOSSIBLE);
  improver.wake();
  await until(() => stateIn(hone) === "improving");

  await hone.operations.pause({ by: "Ann" });
  await until(() => stateIn(hone) === "open");

  assert.equal(groupsIn(hone), 0);
  await hone.operations.resume({ by: "Ann" });
  improver.wake();
  await until(() => stateIn(hone) === "improving");
  hone.endWork();
});

test("whoever waits for a repair is told that it was paused", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({ improve: { budgetMs: 60_000 } });
  await hone.operations.call(IMPOSSIBLE);

  const improving = hone.operations.improve({ skill: "area" });
  const told = assert.rejects(improving, { code: "refused", message: /paused by Ann: lunch/ });
  await until(() => stateIn(hone) === "improving");
  await hone.operations.pause({ by: "Ann", reason: "lunch" });

  await told;
  assert.equal(stateIn(hone), "open");
});

test("what passed all gates while repairs were paused is not released", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  await hone.operations.call(MISSED);
  const [incident] = hone.house.store.incidents({ limit: 1 });
  assert.ok(incident !== undefined);
  const head = workspace.git("rev-parse", "hone");
  const expectation = { kind: "value", value: 6 } as const;
  const failing = { name: "missed", args: [2, 3], world: {}, expectation };
  await hone.operations.pause({ by: "Ann" });

  // As a repair goes on that has not heard of it yet.
  const settled = await improve(incident, failing, hone.house, new AbortController().signal);

  assert.deepEqual([settled.result, settled.commit], ["infra-error", null]);
  assert.match(settled.reason, /repairs are paused by Ann/);
  assert.equal(workspace.git("rev-parse", "hone"), head);
  assert.equal(stateIn(hone), "open");
});

test("an improvement under way ends when the workspace does, and begins again after", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  {
    await using hone = await workspace.open({ improve: { budgetMs: 60_000 } });
    await using improver = startImprover(hone);
    await hone.operations.call(IMPOSSIBLE);
    improver.wake();
    await until(() => stateIn(hone) === "improving");
    hone.endWork();
  }

  await using again = await workspace.open();

  assert.equal(stateIn(again), "open");
});

function groupsIn(hone: OpenWorkspace): number {
  const [incident] = hone.house.store.incidents({ limit: 1 });
  return hone.house.store.groups(incident?.id ?? "").length;
}

function stateIn(hone: OpenWorkspace): string | undefined {
  return hone.house.store.incidents({ limit: 1 })[0]?.state;
}

async function until(holds: () => boolean): Promise<void> {
  for (let look = 0; look < 600; look += 1) {
    if (holds()) return;
    await pause(50);
  }
  assert.fail("it never came to hold");
}
