import assert from "node:assert/strict";
import { test } from "node:test";
import { areaSkill } from "../support/area-skill.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

type Row = Readonly<Record<string, unknown>>;

const CALLER = skillFiles("room", {
  source: `export async function room(width: number, ctx: Ctx): Promise<number> {
  return await ctx.skills.call("area", { width, height: 2 });
}

type Ctx = { skills: { call(name: string, input: object): Promise<number> } };
`,
  cases: [],
  metadata: "  capabilities: { skills: [area] }",
});

const MISSED = { skill: "area", input: { width: 2, height: 3 }, expect: 6 };

test("a skill that never does well is proposed, let go by a person, and brought back", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({ retire: { minimumRuns: 3 } });
  const { operations } = hone;
  const before = workspace.show("hone", "skills/area/skill.ts");
  for (const width of [5, 6, 7]) {
    await operations.call({ ...MISSED, input: { width, height: 3 }, expect: width * 3 });
  }

  const { retirement } = (await operations.status()) as { retirement: Row[] };

  assert.deepEqual(retirement, [{ skill: "area", reason: "none of 3 runs reached its threshold" }]);
  const retired = await operations.retire({ skill: "area", by: "Ann" });
  const message = workspace.git("show", "--no-patch", "--format=%B", "hone");
  assert.match(message, /^skill\(area\): retired: none of 3 runs reached its threshold/);
  assert.match(message, /Hone-Retired-By: Ann/);
  assert.equal(workspace.git("ls-tree", "-r", "--name-only", "hone", "skills/area"), "");
  assert.equal(workspace.git("rev-parse", "main"), retired["commit"], "it is published as any");
  await assert.rejects(operations.call(MISSED), { code: "not-found" });

  await operations.rollback({ skill: "area", by: "Ann" });

  assert.equal(workspace.show("hone", "skills/area/skill.ts"), before);
  assert.equal((await operations.call(MISSED))["value"], 5);
});

test("what another skill may call, or a schedule names, is not retired under it", async (t) => {
  const workspace = await aWorkspace(t, { ...areaSkill(), ...CALLER });
  const schedules = [{ name: "nightly", cron: "0 3 * * *", improve: "area" }];
  await using hone = await workspace.open({ schedules });
  const head = workspace.git("rev-parse", "hone");

  await assert.rejects(hone.operations.retire({ skill: "area", by: "Ann", reason: "old" }), {
    code: "refused",
    message: "area is needed: room may call it; the schedule nightly names it",
  });

  assert.equal(workspace.git("rev-parse", "hone"), head);
});

test("nothing is retired for which nothing speaks, unless a person says why", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();

  await assert.rejects(hone.operations.retire({ skill: "area", by: "Ann" }), { code: "refused" });
  const { reason } = await hone.operations.retire({ skill: "area", by: "Ann", reason: "moved" });

  assert.equal(reason, "moved");
});
