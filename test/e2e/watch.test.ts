import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { perform } from "../../src/loop.ts";
import { BAD_AREA, GOOD_AREA } from "../support/area-skill.ts";
import { webServer } from "../support/web-server.ts";
import { aWorkspace, skillFiles, type TestWorkspace } from "../support/workspace.ts";

type Row = Readonly<Record<string, unknown>>;

test("a bad release that a person approved is taken back by live runs alone", async (t) => {
  const { workspace, hone, bad, good } = await aBadRelease(t);
  await using _ = hone;
  const suite = workspace.show(bad, "skills/area/cases.jsonl");

  const runs = await callUntil(hone, () => stateOf(hone, bad) !== "watching");

  assert.equal(stateOf(hone, bad), "rolled-back");
  assert.ok(runs >= 5, "no verdict before the minimum of runs");
  assert.equal(workspace.git("rev-list", "--count", `${bad}..hone`), "1");
  const message = workspace.git("show", "--no-patch", "--format=%B", "hone");
  assert.match(message, new RegExp(`This reverts commit ${bad}\\.`));
  assert.match(message, new RegExp(`^Hone-Reverts: ${bad}$`, "m"));
  assert.match(message, new RegExp(`^Hone-Restores: ${good}$`, "m"));
  assert.match(message, /^Hone-Rollback-By: hone$/m);
  assert.equal(workspace.show("hone", "skills/area/skill.ts"), GOOD_AREA);
  assert.equal(workspace.show("hone", "skills/area/cases.jsonl"), suite);
});

test("repairs that are paused keep no bad release in service", async (t) => {
  const { hone, bad } = await aBadRelease(t);
  await using _ = hone;
  await hone.operations.pause({ by: "Ann" });

  await callUntil(hone, () => stateOf(hone, bad) !== "watching");

  assert.equal(stateOf(hone, bad), "rolled-back");
});

test("the next call has the version that the rollback made, and its rate is its own", async (t) => {
  const { workspace, hone, bad } = await aBadRelease(t);
  await using _ = hone;
  await callUntil(hone, () => stateOf(hone, bad) !== "watching");

  const next = await hone.operations.call(right(8, 9));

  assert.deepEqual([next["value"], next["version"]], [72, workspace.git("rev-parse", "hone")]);
  const { versions } = (await hone.operations.log({ skill: "area" })) as { versions: Row[] };
  const rates = versions.map(({ state, meanReward }) => [state, meanReward]);
  assert.deepEqual(rates, [
    ["kept", 1],
    ["rolled-back", 0],
    ["by a person", rates[2]?.[1]],
  ]);
});

test("what was rolled back is not proposed again", async (t) => {
  const { workspace, hone, bad } = await aBadRelease(t);
  await using _ = hone;
  await callUntil(hone, () => stateOf(hone, bad) !== "watching");
  const head = workspace.git("rev-parse", "hone");
  await hone.operations.call({ skill: "area", input: { width: 2, height: 3 }, expect: 5 });

  const { result } = await hone.operations.improve({ skill: "area" });

  const waiting = hone.house.store.candidates({ state: "waiting", limit: 10 });
  assert.notEqual(result, "released");
  assert.ok(waiting.every(({ candidate }) => candidate.source !== BAD_AREA));
  assert.equal(workspace.git("rev-parse", "hone"), head);
});

test("a release that does no worse is kept after its runs", async (t) => {
  const { hone, bad } = await aBadRelease(t);
  await using _ = hone;

  for (let run = 0; run < 12; run += 1) await hone.operations.call(right(2, 2));

  assert.equal(stateOf(hone, bad), "kept");
});

test("a watch ends when a person's commit replaces the release, and that is never reverted", async (t) => {
  const { workspace, hone, bad } = await aBadRelease(t);
  await using _ = hone;
  const worse = BAD_AREA.replace("width + height", "height + width");
  const theirs = workspace.commit({ "skills/area/skill.ts": worse });
  await hone.operations.improve({ skill: "area" });
  assert.equal(workspace.git("rev-parse", "hone"), theirs);

  for (let run = 0; run < 15; run += 1) await hone.operations.call(right(3, 4 + run));

  assert.equal(workspace.git("rev-parse", "hone"), theirs);
  assert.equal(stateOf(hone, bad), "kept");
  const rollback = hone.operations.rollback({ skill: "area", by: "hone" });
  await assert.rejects(rollback, { code: "refused" });
  const { openIncidents } = await hone.operations.status();
  assert.ok(Number(openIncidents) > 0, "a person's version that falls short is reported");
});

test("a rollback over a person's uncommitted work waits, is told once, and fails no call", async (t) => {
  const { workspace, hone, bad } = await aBadRelease(t);
  await using _ = hone;
  workspace.write({ "skills/area/SKILL.md": "half written" });

  for (let run = 0; run < 20; run += 1) {
    const { status } = await hone.operations.call(right(3, 4 + run));
    assert.equal(status, "returned");
  }

  assert.equal(stateOf(hone, bad), "watching");
  const told = hone.house.store.events(0, 1_000).filter(({ kind }) => kind === "rollback.failed");
  assert.equal(told.length, 1);
  const { problems } = (await hone.operations.status()) as { problems: string[] };
  assert.match(problems.join("\n"), /could not be taken back: .* not committed/);
  workspace.git("checkout", "--quiet", "--", "skills/area/SKILL.md");
  await hone.operations.call(right(3, 4));
  assert.equal(stateOf(hone, bad), "rolled-back");
});

test("a run that ends while a release is taken back does not keep it", async (t) => {
  const { hone, bad } = await aBadRelease(t);
  await using _ = hone;
  const { library } = hone.house;
  const isTakenBack = Promise.withResolvers<void>();
  const isWatching = Promise.withResolvers<void>();
  let asked = 0;
  const active: typeof library.active = async (name) => {
    asked += 1;
    if (asked === 2) {
      isWatching.resolve();
      await isTakenBack.promise;
    }
    return await library.active(name);
  };
  const house = { ...hone.house, library: { ...library, active } };
  const task = {
    ...right(2, 2),
    id: "late",
    expectation: null,
    source: "cli",
    createdAt: 0,
  } as const;
  const late = perform(task, house, t.signal);
  await isWatching.promise;

  await hone.operations.rollback({ skill: "area", by: "Ann" });
  isTakenBack.resolve();
  await late;

  assert.equal(stateOf(hone, bad), "rolled-back");
});

test("tasks that the version before fails as well take nothing back", async (t) => {
  const { hone, bad } = await aBadRelease(t);
  await using _ = hone;

  const impossible = { skill: "area", input: { width: 3, height: 4 }, expect: -1 };
  for (let run = 0; run < 30 && stateOf(hone, bad) === "watching"; run += 1) {
    await hone.operations.call(impossible);
  }

  const made = hone.house.store.release(bad);
  assert.equal(made?.state, "kept");
  assert.match(made?.reason ?? "", /the version before fails on the same inputs/);
});

test("a network that is gone scores nothing: no incident, no rollback", async (t) => {
  const server = await webServer((_, response) => response.end("3"));
  const { origin, host } = server;
  const workspace = await aWorkspace(t, fetchingSkill(origin, host));
  await using hone = await workspace.open();
  await hone.operations.call({ skill: "count", input: { of: "a" }, expect: 4 });
  const { commit } = await hone.operations.improve({ skill: "count" });
  assert.notEqual(commit, null);
  await server[Symbol.asyncDispose]();

  const answers: Row[] = [];
  for (let run = 0; run < 8; run += 1) {
    answers.push(await hone.operations.call({ skill: "count", input: { of: "a" }, expect: 4 }));
  }

  assert.ok(answers.every(({ status }) => status === "threw"));
  assert.ok(answers.every(({ reward }) => (reward as Row)["status"] === "unscored"));
  assert.equal(stateOf(hone, String(commit)), "watching");
  const { openIncidents, unscored } = await hone.operations.status();
  assert.deepEqual([openIncidents, unscored], [0, 8]);
});

/**
 * A workspace whose good version has a record of good runs, and upon it a release that is wrong:
 * somebody asked for a sum, and a person approved it because nothing held out was there to object.
 */
async function aBadRelease(t: Parameters<typeof aWorkspace>[0]): Promise<{
  readonly workspace: TestWorkspace;
  readonly hone: OpenWorkspace;
  readonly good: string;
  readonly bad: string;
}> {
  const files = skillFiles("area", {
    source: GOOD_AREA,
    cases: [{ name: "two by two", input: { width: 2, height: 2 }, expect: 4 }],
  });
  const workspace = await aWorkspace(t, files);
  const good = workspace.git("rev-parse", "hone");
  const hone = await workspace.open();
  const { operations } = hone;
  for (let run = 0; run < 12; run += 1) await operations.call(right(2, 2));
  await operations.call({ skill: "area", input: { width: 2, height: 3 }, expect: 5 });
  const { candidate } = await operations.improve({ skill: "area" });
  const { commit } = await operations.approve({ candidate: String(candidate), by: "Ann" });
  const source = workspace.show("hone", "skills/area/skill.ts");
  assert.equal(source, BAD_AREA, "the sum is what was proposed");
  return { workspace, hone, good, bad: String(commit) };
}

/** Live calls whose outcome is known, until something holds; returns how many were made. */
async function callUntil(hone: OpenWorkspace, holds: () => boolean): Promise<number> {
  for (let run = 0; run < 30; run += 1) {
    if (holds()) return run;
    await hone.operations.call(right(3, 4 + run));
  }
  return assert.fail("nothing came of 30 calls");
}

type Question = Parameters<OpenWorkspace["operations"]["call"]>[0];

function right(width: number, height: number): Question {
  return { skill: "area", input: { width, height }, expect: width * height };
}

function stateOf(hone: OpenWorkspace, commit: string): string | undefined {
  return hone.house.store.release(commit)?.state;
}

/** Adds one to what a server says; subtracts, at first. */
function fetchingSkill(origin: string, host: string): Record<string, string> {
  const answering = (body: string): object => ({
    capabilities: { fetch: [{ match: `GET ${origin}/*`, status: 200, body }] },
  });
  return skillFiles("count", {
    source: `type Ctx = { fetch(url: string): Promise<{ text(): Promise<string> }> };

export async function count(of: string, ctx: Ctx): Promise<number> {
  const answer = await ctx.fetch(\`${origin}/\${of}\`);
  return Number(await answer.text()) - 1;
}
`,
    metadata: `  capabilities: { fetch: ["${host}"] }`,
    cases: [],
    heldOut: [
      { name: "five", input: { of: "b" }, expect: 5, ...answering("4") },
      { name: "nine", input: { of: "c" }, expect: 9, ...answering("8") },
    ],
  });
}
