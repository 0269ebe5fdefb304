import assert from "node:assert/strict";
import { test } from "node:test";
import { areaSkill, BAD_AREA, GOOD_AREA } from "../support/area-skill.ts";
import { webServer } from "../support/web-server.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const MISSED = { skill: "area", input: { width: 2, height: 3 }, expect: 6 };

type Row = Readonly<Record<string, unknown>>;

test("a task that falls short becomes a proven release, and git alone tells the story", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  const { operations } = hone;
  const before = workspace.git("rev-parse", "hone");

  const missed = await operations.call(MISSED);
  const { result, commit } = await operations.improve({ skill: "area" });
  const again = await operations.call(MISSED);

  assert.deepEqual([missed["value"], missed["version"]], [5, before]);
  assert.equal(result, "released");
  assert.deepEqual([again["value"], again["version"]], [6, commit]);
  assert.equal(workspace.show("hone", "skills/area/skill.ts"), GOOD_AREA);
  assert.equal(workspace.git("rev-list", "--count", `${before}..hone`), "1");
  const { incidents } = (await operations.incidents({ all: true })) as { incidents: Row[] };
  const [incident] = incidents;
  assert.equal(incident?.["state"], "repaired");
  const message = workspace.git("show", "--no-patch", "--format=%B", "hone");
  assert.match(message, /^skill\(area\): changes an arithmetic operator on line 3/);
  assert.match(message, /area returned 5 \(expected 6, got 5\)/);
  const trailers = workspace.git("show", "--no-patch", "--format=%(trailers)", "hone");
  for (const trailer of [
    `Hone-Incident: ${String(incident?.["id"])}`,
    "Hone-Reward: 0.50 -> 1.00",
    "Hone-Proposer: search/arithmetic",
    "Hone-Model: none",
    "Hone-Gates: parse=pass policy=pass types=pass failing-case=pass regression=pass differential=pass conduct=pass held-out=pass acceptance=pass approval=pass",
  ]) {
    assert.ok(trailers.includes(trailer), trailer);
  }
  assert.match(trailers, /Hone-Evidence: sha256:[0-9a-f]{64}/);
});

test("the failing case joins the suite in the same commit, after the lines that were there", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  const file = "skills/area/cases.jsonl";
  const before = workspace.show("hone", file);
  await hone.operations.call(MISSED);

  await hone.operations.improve({ skill: "area" });

  const after = workspace.show("hone", file);
  assert.ok(after.startsWith(before));
  const added = JSON.parse(after.slice(before.length)) as Row;
  assert.deepEqual([added["args"], added["expect"]], [[2, 3], 6]);
  const { passed, failed } = await hone.operations.test({ name: "area" });
  assert.deepEqual([passed, failed], [2, 0]);
});

test("a release is brought to the person's branch and checkout by fast-forward", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  await hone.operations.call(MISSED);

  const { commit } = await hone.operations.improve({ skill: "area" });

  assert.equal(workspace.git("rev-parse", "main"), commit);
  assert.equal(workspace.git("status", "--porcelain"), "");
  assert.equal(workspace.git("rev-parse", "--abbrev-ref", "HEAD"), "main");
});

test("log, why and diff answer what changed, why, how well and since when", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  const { operations } = hone;
  await operations.call(MISSED);
  const { commit } = await operations.improve({ skill: "area" });
  await operations.call(MISSED);

  const log = await operations.log({ skill: "area" });
  const why = await operations.why({ skill: "area" });
  const { diff } = await operations.diff({ skill: "area" });

  const rows = (log["versions"] as Row[]).map(({ state, runs, meanReward, reward }) => ({
    state,
    runs,
    meanReward,
    reward,
  }));
  assert.deepEqual(rows, [
    { state: "watching", runs: 1, meanReward: 1, reward: "0.50 -> 1.00" },
    { state: "by a person", runs: 1, meanReward: 0, reward: null },
  ]);
  assert.equal(why["commit"], commit);
  assert.equal((why["suspicious"] as Row[])[0]?.["line"], 3);
  assert.ok((why["verdicts"] as Row[]).every(({ status }) => status === "pass"));
  const chosen = (why["candidates"] as Row[]).find(({ state }) => state !== "rejected");
  const { change, confidence, rivals } = chosen ?? {};
  assert.match(String(change), /^changes an arithmetic operator on line 3/);
  assert.ok(Number(confidence) > 0 && Number(confidence) < 1);
  assert.ok((rivals as Row[]).length > 0);
  for (const rival of rivals as Row[]) {
    const { input, chosen: here, rival: there } = rival["differsOn"] as Row;
    assert.ok(typeof input === "string" && here !== there);
  }
  assert.match(String(diff), /^-  return width \+ height;\n\+  return width \* height;$/m);
});

test("a run that began before a release keeps its version, and the next call has the new one", async (t) => {
  const held = Promise.withResolvers<void>();
  await using server = await webServer((request, response) => {
    const isHeld = request.url === "/units/9";
    void (isHeld ? held.promise : Promise.resolve()).then(() => response.end('{"unit":"m"}'));
  });
  const workspace = await aWorkspace(t, measuringSkill(server.origin, server.host));
  await using hone = await workspace.open();
  const { operations } = hone;
  const early = operations.call({ skill: "measure", input: { width: 9, height: 3 } });
  const missed = await operations.call({
    skill: "measure",
    input: { width: 2, height: 3 },
    expect: "6 m",
  });

  const { commit } = await operations.improve({ skill: "measure" });
  const next = await operations.call({ skill: "measure", input: { width: 2, height: 3 } });
  held.resolve();
  const late = await early;

  assert.notEqual(commit, null);
  assert.deepEqual([next["version"], next["value"]], [commit, "6 m"]);
  assert.deepEqual([late["version"], late["value"]], [missed["version"], "12 m"]);
});

test("bytes outside the edit stay: BOM, CRLF, tabs, comments and blank lines", async (t) => {
  const source = `\uFEFF// kept\r\n\r\n\r\n${BAD_AREA.replaceAll("\n", "\r\n").replace("  return", "\treturn")}\r\n/* the end */`;
  const workspace = await aWorkspace(t, areaSkill({ source }));
  await using hone = await workspace.open();
  await hone.operations.call(MISSED);

  const { result } = await hone.operations.improve({ skill: "area" });

  assert.equal(result, "released");
  assert.equal(workspace.show("hone", "skills/area/skill.ts"), source.replace("+", "*"));
});

test("a release goes into a suite of CRLF lines without touching them", async (t) => {
  const files = areaSkill();
  const cases = (files["skills/area/cases.jsonl"] ?? "").trimEnd();
  const workspace = await aWorkspace(t, {
    ...files,
    "skills/area/cases.jsonl": `\r\n${cases}\r\n\r\n`,
  });
  await using hone = await workspace.open();
  await hone.operations.call(MISSED);

  const { result } = await hone.operations.improve({ skill: "area" });

  const after = workspace.show("hone", "skills/area/cases.jsonl");
  assert.equal(result, "released");
  assert.ok(after.startsWith(`\r\n${cases}\r\n\r\n{`));
});

test("an incident is improved once, however many ask at the same time", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  await hone.operations.call(MISSED);

  const answers = await Promise.all(
    Array.from({ length: 3 }, () => hone.operations.improve({ skill: "area" })),
  );

  assert.equal(answers.filter(({ result }) => result === "released").length, 1);
  assert.equal(workspace.git("rev-list", "--count", "hone"), "2");
});

/** An area with a unit that it asks a server for. */
function measuringSkill(origin: string, host: string): Record<string, string> {
  const world = (width: number): object => ({
    fetch: [{ match: `GET ${origin}/units/${width}`, status: 200, body: { unit: "m" } }],
  });
  return skillFiles("measure", {
    source: `type Ctx = { fetch(url: string): Promise<{ json(): Promise<{ unit: string }> }> };

export async function measure(width: number, height: number, ctx: Ctx): Promise<string> {
  const answer = await ctx.fetch(\`${origin}/units/\${width}\`);
  const { unit } = await answer.json();
  return \`\${width + height} \${unit}\`;
}
`,
    metadata: `  capabilities: { fetch: ["${host}"] }\n  limits: { timeoutMs: 60000 }`,
    cases: [{ name: "two", input: { width: 2, height: 2 }, expect: "4 m", capabilities: world(2) }],
    heldOut: [
      { name: "seven", input: { width: 7, height: 3 }, expect: "21 m", capabilities: world(7) },
      { name: "ten", input: { width: 10, height: 10 }, expect: "100 m", capabilities: world(10) },
    ],
  });
}
