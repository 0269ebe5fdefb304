import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { follow } from "../../src/daemon/follow.ts";
import { areaSkill, BAD_AREA, GOOD_AREA } from "../support/area-skill.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const MISSED = { skill: "area", input: { width: 2, height: 3 }, expect: 6 };
const PROTECTED = "  review: always";

type Row = Readonly<Record<string, unknown>>;

test("a protected skill waits for a person, who is named in the commit", async (t) => {
  const workspace = await aWorkspace(t, areaSkill({ metadata: PROTECTED }));
  await using hone = await workspace.open();
  const candidate = await waitingCandidate(hone);
  assert.equal(workspace.git("rev-list", "--count", "hone"), "1");

  await hone.operations.pause({ by: "Ann" });
  await assert.rejects(hone.operations.approve({ candidate, by: "Ann" }), { code: "refused" });
  await hone.operations.resume({ by: "Ann" });
  const approved = await hone.operations.approve({ candidate, by: "Ann" });

  assert.equal(approved["result"], "released");
  assert.equal(workspace.git("rev-parse", "hone"), approved["commit"]);
  assert.equal(workspace.git("rev-parse", "main"), approved["commit"]);
  assert.equal(workspace.show("hone", "skills/area/skill.ts"), GOOD_AREA);
  const trailers = workspace.git("show", "--no-patch", "--format=%(trailers)", "hone");
  assert.match(trailers, /^Hone-Approved-By: Ann$/m);
  assert.match(trailers, /^Hone-Verdict: needs-data$/m);
  assert.deepEqual((await hone.operations.status())["waiting"], []);
  assert.equal(hone.house.store.candidate(candidate)?.state, "released");
});

test("of an approval and a no that comes in the middle of it one is refused, whenever it comes", async (t) => {
  const workspace = await aWorkspace(t, areaSkill({ metadata: PROTECTED }));
  await using hone = await workspace.open();
  const candidate = await waitingCandidate(hone);
  const late = async () => {
    await pause(500);
    return await hone.operations.reject({ candidate, by: "Bob" });
  };

  const [yes, no] = await Promise.allSettled([
    hone.operations.approve({ candidate, by: "Ann" }),
    late(),
  ]);

  assert.notEqual(yes.status, no.status);
  const isReleased = yes.status === "fulfilled";
  const state = hone.house.store.candidate(candidate)?.state;
  assert.equal(state, isReleased ? "released" : "rejected");
  assert.equal(workspace.git("rev-list", "--count", "hone"), isReleased ? "2" : "1");
});

test("a candidate is named by the start of its id", async (t) => {
  const workspace = await aWorkspace(t, areaSkill({ metadata: PROTECTED }));
  await using hone = await workspace.open();
  const candidate = await waitingCandidate(hone);
  const start = candidate.slice(0, -2);

  const rejected = await hone.operations.reject({ candidate: start, by: "Ann" });

  assert.equal(rejected["candidate"], candidate);
  assert.equal(hone.house.store.candidate(candidate)?.state, "rejected");
  await assert.rejects(hone.operations.reject({ candidate: start, by: "Ann" }), {
    code: "not-found",
  });
});

test("what a person rejects is not released, not offered again, and makes the skill wait", async (t) => {
  const workspace = await aWorkspace(t, areaSkill({ metadata: PROTECTED }));
  await using hone = await workspace.open({ improve: { backoffMs: 60_000 } });
  const candidate = await waitingCandidate(hone);
  const digest = hone.house.store.candidate(candidate)?.candidate.digest;

  const rejected = await hone.operations.reject({ candidate, by: "Ann" });
  const [incident] = hone.house.store.incidents({ limit: 5 });
  await hone.operations.improve({ skill: "area" });

  assert.equal(rejected["result"], "rejected");
  assert.equal(workspace.git("rev-list", "--count", "hone"), "1");
  assert.equal(incident?.state, "no-change");
  assert.equal(incident?.rejections, 1);
  assert.ok((incident?.retryAt ?? 0) > Date.now());
  assert.match(incident?.note ?? "", /was rejected by Ann/);
  const waiting = hone.house.store.candidates({ state: "waiting", limit: 10 });
  assert.ok(waiting.every((one) => one.candidate.digest !== digest));
  await assert.rejects(hone.operations.approve({ candidate, by: "Bob" }), { code: "refused" });
});

test("a skill with too few held-out cases waits for a person", async (t) => {
  const workspace = await aWorkspace(t, withoutHeldOut());
  await using hone = await workspace.open();

  await waitingCandidate(hone);

  const { waiting } = (await hone.operations.status()) as { waiting: Row[] };
  assert.match(String(waiting[0]?.["reason"]), /0 held-out cases, 2 are the minimum/);
});

test("an approval is refused where the skill has changed and the case no longer fails", async (t) => {
  const workspace = await aWorkspace(t, areaSkill({ metadata: PROTECTED }));
  await using hone = await workspace.open();
  const candidate = await waitingCandidate(hone);
  workspace.commit({ "skills/area/skill.ts": GOOD_AREA });
  await hone.operations.improve({ skill: "area" });

  const approving = hone.operations.approve({ candidate, by: "Ann" });

  await assert.rejects(approving, { code: "refused", message: /does not fail any more/ });
});

test("an approval settles every candidate that waits for the same incident", async (t) => {
  const workspace = await aWorkspace(t, areaSkill({ metadata: PROTECTED }));
  await using hone = await workspace.open();
  const { store } = hone.house;
  const first = await waitingCandidate(hone);
  // As after a death between the group and its incident.
  store.setIncident(store.candidate(first)?.candidate.incidentId ?? "", { state: "open" });
  const { candidate: second } = await hone.operations.improve({ skill: "area" });

  await hone.operations.approve({ candidate: String(second), by: "Ann" });

  assert.notEqual(first, second);
  assert.equal(store.candidate(first)?.state, "spare");
  assert.deepEqual((await hone.operations.status())["waiting"], []);
});

test("an approval over a person's uncommitted work is refused and can be repeated", async (t) => {
  const workspace = await aWorkspace(t, areaSkill({ metadata: PROTECTED }));
  await using hone = await workspace.open();
  const candidate = await waitingCandidate(hone);
  workspace.write({ "skills/area/skill.ts": `${BAD_AREA}\n// at work\n` });

  const approving = hone.operations.approve({ candidate, by: "Ann" });

  await assert.rejects(approving, { code: "refused", message: /not committed/ });
  workspace.git("checkout", "--quiet", "--", "skills/area/skill.ts");
  const { result } = await hone.operations.approve({ candidate, by: "Ann" });
  assert.equal(result, "released");
});

test("after three refused groups the pause has doubled twice and status names it (B11, T12)", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({ improve: { backoffMs: 60_000 } });
  await hone.operations.call({ ...MISSED, expect: "no such area" });

  for (let round = 0; round < 3; round += 1) {
    const { result } = await hone.operations.improve({ skill: "area" });
    assert.equal(result, "no-change");
  }

  const [incident] = hone.house.store.incidents({ limit: 5 });
  assert.equal(incident?.rejections, 3);
  assert.ok((incident?.retryAt ?? 0) > Date.now() + 3 * 60_000);
  const { problems } = (await hone.operations.status()) as { problems: string[] };
  assert.match(
    problems.join("\n"),
    /area is paused .* after 3 refused groups, until \d{4}-.*`hone improve area` tries now/,
  );
  const { incidents } = (await hone.operations.incidents({})) as unknown as { incidents: Row[] };
  assert.equal(incidents[0]?.["nextAt"], incident?.retryAt);

  // Another version that fails in the same way has the same pause.
  workspace.commit({ "skills/area/skill.ts": `${BAD_AREA}// Looked at.\n` });
  await follow(hone);
  await hone.operations.call({ ...MISSED, expect: "no such area" });
  const [again] = hone.house.store.incidents({ limit: 5 });
  assert.notEqual(again?.id, incident?.id);
  assert.deepEqual([again?.rejections, again?.retryAt], [3, incident?.retryAt]);
});

test("a rollback that a person asks for is one revert commit, and hone takes back only its own", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  const { operations } = hone;
  await operations.call(MISSED);
  const { commit } = await operations.improve({ skill: "area" });

  const taken = await operations.rollback({ skill: "area", by: "Ann" });
  const again = operations.rollback({ skill: "area", by: "Ann" });

  await assert.rejects(again, { code: "refused", message: /no release of hone/ });
  assert.equal(workspace.git("rev-list", "--count", `${String(commit)}..hone`), "1");
  assert.equal(workspace.git("rev-parse", "main"), taken["commit"]);
  assert.equal(workspace.show("hone", "skills/area/skill.ts"), BAD_AREA);
  const message = workspace.git("show", "--no-patch", "--format=%B", "hone");
  assert.match(message, new RegExp(`This reverts commit ${String(commit)}\\.`));
  assert.match(message, /^Hone-Rollback-By: Ann$/m);
});

/** Makes a call that falls short and improves; the candidate that waits. */
async function waitingCandidate(hone: OpenWorkspace): Promise<string> {
  await hone.operations.call(MISSED);
  const { result, candidate } = await hone.operations.improve({ skill: "area" });
  assert.equal(result, "waiting-approval");
  return String(candidate);
}

function withoutHeldOut(): Parameters<typeof aWorkspace>[1] {
  return skillFiles("area", {
    source: BAD_AREA,
    cases: [{ name: "two by two", input: { width: 2, height: 2 }, expect: 4 }],
  });
}
