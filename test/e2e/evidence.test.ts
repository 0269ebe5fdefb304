import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { areaSkill, BAD_AREA, GOOD_AREA } from "../support/area-skill.ts";
import { aWorkspace, type TestWorkspace } from "../support/workspace.ts";

const MISSED = { skill: "area", input: { width: 2, height: 3 }, expect: 6 };

type Row = Readonly<Record<string, unknown>>;

test("a release is verified again from git alone, and found the same", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  const commit = await releaseIn(workspace);
  loseLedger(workspace);
  await using hone = await workspace.open();

  const verified = await hone.operations.verify({ commit });

  assert.equal(verified["result"], "same");
  assert.deepEqual(verified["differences"], []);
});

test("evidence that somebody rewrote is told as different", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  const commit = await releaseIn(workspace);
  const evidence = workspace.git("notes", "--ref=hone", "show", commit);
  const forged = evidence.replace('"rewardAfter":1', '"rewardAfter":0.9');
  assert.notEqual(forged, evidence);
  workspace.git("notes", "--ref=hone", "add", "-f", "-m", forged, commit);
  await using hone = await workspace.open();

  const verified = await hone.operations.verify({ commit });

  assert.equal(verified["result"], "different");
  const what = (verified["differences"] as Row[]).map((each) => each["what"]);
  assert.deepEqual(what, ["evidence digest"]);
});

test("evidence that belongs to another release is told as different", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  const commit = await releaseIn(workspace);
  const theirs = workspace.commit({ "skills/area/skill.ts": BAD_AREA.replace("+", "* 1 *") });
  const evidence = workspace.git("notes", "--ref=hone", "show", commit);
  workspace.git("notes", "--ref=hone", "add", "-f", "-m", evidence, theirs);
  await using hone = await workspace.open();

  const verified = await hone.operations.verify({ commit: theirs });

  assert.equal(verified["result"], "different");
  const what = (verified["differences"] as Row[]).map((each) => each["what"]);
  assert.ok(what.includes("files after") && what.includes("parent"));
});

test("a commit without evidence cannot be verified, and says so", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();

  const verifying = hone.operations.verify({ commit: workspace.git("rev-parse", "hone") });

  await assert.rejects(verifying, { code: "not-found", message: /carries no evidence/ });
});

test("a deleted ledger is written again from git, and hone starts and says so", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  const commit = await releaseIn(workspace);
  loseLedger(workspace);

  await using hone = await workspace.open();

  const { releases, problems } = (await hone.operations.status()) as Record<string, Row[]>;
  assert.deepEqual(
    releases?.map((each) => [each["commit"], each["state"]]),
    [[commit, "watching"]],
  );
  assert.match(String(problems), /rebuilt from git with 1 release/);
  assert.equal((await hone.operations.call(MISSED))["value"], 6);
  const taken = await hone.operations.rollback({ skill: "area", by: "Ann" });
  assert.equal(taken["reverted"], commit);
});

test("a rollback is known after the ledger was lost, and not offered by the history again", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  const commit = await releaseIn(workspace);
  {
    await using hone = await workspace.open();
    await hone.operations.rollback({ skill: "area", by: "Ann" });
  }
  loseLedger(workspace);

  await using hone = await workspace.open({ proposers: ["revert"] });

  assert.equal(hone.house.store.release(commit)?.state, "rolled-back");
  await hone.operations.call(MISSED);
  const { result } = await hone.operations.improve({ skill: "area" });
  assert.equal(result, "no-change");
});

test("a ledger that is no database is set aside and written again", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  const commit = await releaseIn(workspace);
  loseLedger(workspace);
  writeFileSync(path.join(workspace.dir, "data/run/hone.db"), "no database at all".repeat(1_000));

  await using hone = await workspace.open();

  assert.equal(hone.house.store.release(commit)?.state, "watching");
  assert.equal(hone.house.store.integrity(), "ok");
});

test("a release that was watched when the ledger was lost is watched again, and taken back if it does worse", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  const commit = await releaseIn(workspace);
  loseLedger(workspace);
  await using hone = await workspace.open();
  const call = { ...MISSED, expect: 7 };

  for (let run = 0; run < 12; run += 1) await hone.operations.call(run % 2 ? MISSED : call);

  // There is nothing left to compare it with: it is watched to its end, and kept.
  assert.equal(hone.house.store.release(commit)?.state, "kept");
  assert.match(hone.house.store.release(commit)?.reason ?? "", /over 12 runs, before unknown/);
});

test("what a person committed on the way, and was never in force, is not gone back to", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  const first = workspace.git("rev-parse", "hone");
  workspace.commit({
    "skills/area/skill.ts": GOOD_AREA.replace("width * height", "height * width"),
  });
  workspace.commit({ "skills/area/skill.ts": BAD_AREA.replace("+", "+ 0 +") });
  await using hone = await workspace.open({ proposers: ["revert"] }, "command");
  await hone.operations.call(MISSED);

  const { result, candidates } = await hone.operations.improve({ skill: "area" });

  // The draft between the two would be right, and nobody ever looked at it.
  assert.equal(result, "no-change");
  const changes = (candidates as Row[]).map((each) => String(each["change"]));
  assert.equal(changes.length, 1);
  assert.match(changes[0] ?? "", new RegExp(first.slice(0, 10)));
});

async function releaseIn(workspace: TestWorkspace): Promise<string> {
  await using hone: OpenWorkspace = await workspace.open();
  await hone.operations.call(MISSED);
  const { commit } = await hone.operations.improve({ skill: "area" });
  assert.notEqual(commit, null);
  return String(commit);
}

function loseLedger({ dir }: TestWorkspace): void {
  for (const ending of ["", "-wal", "-shm"]) {
    rmSync(path.join(dir, `data/run/hone.db${ending}`), { force: true });
  }
}
