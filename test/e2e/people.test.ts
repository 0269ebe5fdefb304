import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { follow } from "../../src/daemon/follow.ts";
import { improveOne } from "../../src/daemon/repairs/improving.ts";
import { takeBack } from "../../src/watching.ts";
import { areaSkill, BAD_AREA, GOOD_AREA } from "../support/area-skill.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const MISSED = { skill: "area", input: { width: 2, height: 3 }, expect: 6 };

test("a person's sound commit is taken in and serves the next call", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  const theirs = workspace.commit({ "skills/area/skill.ts": GOOD_AREA });

  await follow(hone);

  const { value, version } = await hone.operations.call(MISSED);
  assert.deepEqual([value, version], [6, theirs]);
  assert.equal(workspace.git("rev-parse", "hone"), theirs);
  const { versions } = (await hone.operations.log({ skill: "area" })) as {
    versions: { state: string }[];
  };
  assert.deepEqual(
    versions.map(({ state }) => state),
    ["by a person", "by a person"],
  );
});

test("a person's commit that loses a case is refused, reported, and left alone", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  const served = workspace.git("rev-parse", "hone");
  const theirs = workspace.commit({ "skills/area/skill.ts": BAD_AREA.replace("+", "-") });

  await follow(hone);
  await follow(hone);

  assert.equal(workspace.git("rev-parse", "hone"), served);
  assert.equal(workspace.git("rev-parse", "main"), theirs);
  assert.equal((await hone.operations.call(MISSED))["value"], 5);
  assert.match(await problemsOf(hone), /area: case "two by two" fails: expected 4, got 0/);
  const told = hone.house.store.events(0, 100).filter(({ kind }) => kind === "commit.refused");
  assert.equal(told.length, 1);
});

test("every problem of a person's commit is named at once, and mending it clears the report", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  workspace.commit({
    "skills/area/SKILL.md": "---\nname: other\ndescription: x\n---\n",
    "skills/area/skill.ts": "export function area(width: number, width: number) { return ; }",
    "skills/area/cases.jsonl": "{no\n",
  });
  await follow(hone);
  const problems = await problemsOf(hone);

  workspace.commit({ ...areaSkill(), "skills/area/skill.ts": GOOD_AREA });
  await follow(hone);

  assert.match(problems, /name is "other", the folder is "area"/);
  assert.match(problems, /skill\.ts:1: /);
  assert.equal(await problemsOf(hone), "");
  assert.equal((await hone.operations.call(MISSED))["value"], 6);
});

test("a commit that cannot be read is refused with what is most likely meant, which nobody does for them", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  const served = workspace.git("rev-parse", "hone");
  workspace.commit({ "skills/area/skill.ts": GOOD_AREA.replace(", height", " height") });

  await follow(hone);

  assert.match(await problemsOf(hone), /skill\.ts:2: likely a `,` is missing after `number`/);
  assert.equal(workspace.git("rev-parse", "hone"), served);
  assert.deepEqual(hone.house.store.incidents({ limit: 9 }), []);
});

test("a report of a refused commit ends when the person takes the commit back", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  workspace.commit({ "skills/area/skill.ts": "export const area = 1;\n" });
  await follow(hone);
  assert.notEqual(await problemsOf(hone), "");

  workspace.git("reset", "--quiet", "--hard", "HEAD~1");
  await follow(hone);

  assert.equal(await problemsOf(hone), "");
});

test("a deletion is a person's to make: the skill is gone, its tasks fail, its incidents close", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  await hone.operations.call(MISSED);
  const [incident] = hone.house.store.incidents({ limit: 1 });
  assert.ok(incident !== undefined);
  workspace.git("rm", "-r", "--quiet", "skills/area");
  workspace.git("commit", "--quiet", "-m", "not needed");

  await follow(hone);
  const settled = await improveOne({ incident, failing: null, isAsked: false }, hone);

  assert.equal(settled.result, "closed");
  assert.equal(hone.house.store.incident(incident.id)?.state, "closed");
  await assert.rejects(hone.operations.call(MISSED), { code: "not-found" });
  const submitted = { skill: "area", input: { width: 1, height: 1 } };
  await assert.rejects(hone.operations.submit({ tasks: [submitted] }), { code: "not-found" });
  const [adopted] = hone.house.store.events(0, 100).filter(({ kind }) => kind === "commit.adopted");
  assert.deepEqual(adopted?.detail["skills"], ["area"]);
  assert.deepEqual((await hone.operations.skills())["skills"], []);
});

test("a deletion is refused while another skill may call the one deleted", async (t) => {
  const caller = skillFiles("caller", {
    source: "export function caller(): number {\n  return 1;\n}\n",
    cases: [],
    metadata: "  capabilities: { skills: [area] }",
  });
  const workspace = await aWorkspace(t, { ...areaSkill(), ...caller });
  await using hone = await workspace.open();
  workspace.git("rm", "-r", "--quiet", "skills/area");
  workspace.git("commit", "--quiet", "-m", "not needed");

  await follow(hone);

  assert.match(await problemsOf(hone), /caller: may call area, which is deleted/);
  assert.equal((await hone.operations.call(MISSED))["value"], 5);
});

test("a person's work on one skill is merged with hone's on another, and both stand", async (t) => {
  const double = skillFiles("double", {
    source: "export function double(n: number): number {\n  return n + n;\n}\n",
    cases: [{ name: "two", input: { n: 2 }, expect: 4 }],
  });
  const workspace = await aWorkspace(t, { ...areaSkill(), ...double });
  await using hone = await workspace.open({ publish: "manual" });
  await hone.operations.call(MISSED);
  const { commit } = await hone.operations.improve({ skill: "area" });
  const theirs = workspace.commit({
    "skills/double/skill.ts": "export function double(n: number): number {\n  return 2 * n;\n}\n",
  });

  await follow(hone);

  assert.equal(
    workspace.git("show", "--no-patch", "--format=%P", "hone"),
    `${String(commit)} ${theirs}`,
  );
  assert.equal(workspace.show("hone", "skills/area/skill.ts"), GOOD_AREA);
  assert.match(workspace.show("hone", "skills/double/skill.ts"), /2 \* n/);
  assert.equal((await hone.operations.call(MISSED))["version"], commit);
  assert.equal(await problemsOf(hone), "");
});

test("a skill that both sides changed is not merged unseen", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({ publish: "manual" });
  await hone.operations.call(MISSED);
  const { commit } = await hone.operations.improve({ skill: "area" });
  const theirs = workspace.commit({ "skills/area/notes.md": "mine\n" });

  await follow(hone);

  assert.equal(workspace.git("rev-parse", "hone"), commit);
  assert.equal(workspace.git("rev-parse", "main"), theirs);
  assert.match(await problemsOf(hone), /area: changed on both sides/);
  workspace.git("merge", "--quiet", "-m", "take hone's", "hone");
  await follow(hone);
  assert.equal(await problemsOf(hone), "");
  assert.equal(workspace.git("rev-parse", "hone"), workspace.git("rev-parse", "main"));
});

test("hone releases nothing over a file edited by hand, says why, and goes on once it is committed", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  await hone.operations.call(MISSED);
  const edited = `${BAD_AREA}\n// at work\n`;
  workspace.write({ "skills/area/skill.ts": edited });
  const head = workspace.git("rev-parse", "hone");

  const first = await hone.operations.improve({ skill: "area" });

  assert.equal(first["result"], "infra-error");
  assert.match(
    String(first["reason"]),
    /skills\/area\/skill\.ts has changes that are not committed/,
  );
  assert.equal(workspace.git("rev-parse", "hone"), head);
  assert.equal(workspace.git("diff", "--stat").includes("skill.ts"), true);
  const { incidents } = (await hone.operations.status()) as { incidents: { note: string }[] };
  assert.match(incidents[0]?.note ?? "", /not committed/);
  workspace.commit({});
  const second = await hone.operations.improve({ skill: "area" });
  assert.equal(second["result"], "released");
  assert.equal(workspace.show("hone", "skills/area/skill.ts"), edited.replace("+", "*"));
});

test("an unfinished file elsewhere in the checkout neither blocks nor is touched", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  await hone.operations.call(MISSED);
  workspace.write({ "notes.txt": "mine\n" });

  const { result } = await hone.operations.improve({ skill: "area" });

  assert.equal(result, "released");
  assert.equal(workspace.git("status", "--porcelain"), "?? notes.txt");
});

test("a command without a daemon takes a person's commit in, and brings a rollback back", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  const theirs = workspace.commit({ "skills/area/notes.md": "mine\n" });
  {
    await using hone = await workspace.open({}, "command");
    const { version } = await hone.operations.call(MISSED);
    assert.equal(version, theirs);
    const { commit } = await hone.operations.improve({ skill: "area" });
    assert.equal(workspace.git("rev-parse", "main"), commit);
    const made = hone.house.store.release(String(commit));
    assert.ok(made !== null);
    await takeBack(made, { reason: "did worse", by: "hone" }, hone.house);
  }

  assert.equal(workspace.git("rev-parse", "main"), workspace.git("rev-parse", "hone"));
  assert.match(workspace.git("log", "-1", "--format=%s", "main"), /roll back/);
});

for (const how of ["--hard", "--soft", "--mixed"]) {
  test(`a commit taken back by reset ${how} stays taken back, and that is told once`, async (t) => {
    const workspace = await aWorkspace(t, areaSkill());
    await using hone = await workspace.open();
    const kept = workspace.git("rev-parse", "main");
    const oops = workspace.commit({ "skills/area/notes.md": "oops\n" }, "oops");
    await follow(hone);
    workspace.git("reset", "--quiet", how, "HEAD~1");
    const before = workspace.git("status", "--porcelain");

    await follow(hone);
    await follow(hone);

    assert.equal(workspace.git("rev-parse", "main"), kept);
    assert.equal(workspace.git("rev-parse", "hone"), oops);
    assert.equal(workspace.git("status", "--porcelain"), before);
    assert.match(
      await publicationOf(hone),
      new RegExp(`^main is without commit ${oops.slice(0, 10)} \\(oops\\), .*git merge hone`),
    );
    const told = hone.house.store.events(0, 100).filter(({ kind }) => kind === "publish.blocked");
    assert.equal(told.length, 1);
  });
}

test("a release upon a commit that was taken back is not published, and serves", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  const kept = workspace.git("rev-parse", "main");
  workspace.commit({ "notes.txt": "oops\n" }, "oops");
  await follow(hone);
  workspace.git("reset", "--quiet", "--hard", "HEAD~1");
  await hone.operations.call(MISSED);

  const { result } = await hone.operations.improve({ skill: "area" });
  await follow(hone);

  assert.equal(result, "released");
  assert.equal((await hone.operations.call(MISSED))["value"], 6);
  assert.equal(workspace.git("rev-parse", "main"), kept);
  workspace.git("merge", "--quiet", "hone");
  await follow(hone);
  assert.equal(await publicationOf(hone), "up-to-date");
});

test("an amended commit is not merged with what it replaced, until the person says so", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  const oops = workspace.commit({ "skills/area/notes.md": "oops\n" }, "oops");
  await follow(hone);
  workspace.write({ "skills/area/notes.md": "better\n" });
  workspace.git("commit", "--quiet", "--all", "--amend", "-m", "better");
  const amended = workspace.git("rev-parse", "main");

  await follow(hone);

  assert.equal(workspace.git("rev-parse", "main"), amended);
  assert.equal(workspace.git("rev-parse", "hone"), oops);
  assert.match(await problemsOf(hone), /main is without commit \w+ \(oops\)/);
  workspace.git("merge", "--quiet", "--no-ff", "--strategy", "ours", "-m", "mine", "hone");
  await follow(hone);
  assert.equal(await problemsOf(hone), "");
  assert.equal(workspace.git("rev-parse", "hone"), workspace.git("rev-parse", "main"));
  assert.equal(workspace.show("hone", "skills/area/notes.md"), "better\n");
});

test("a release that a person picked and took back counts as theirs", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  await hone.operations.call(MISSED);
  await hone.operations.improve({ skill: "area" });
  await follow(hone);
  workspace.git("commit", "--quiet", "--amend", "--no-edit", "--reset-author");
  workspace.git("merge", "--quiet", "-m", "both", "hone");
  await follow(hone);
  const both = workspace.git("rev-parse", "hone");
  workspace.git("reset", "--quiet", "--hard", "HEAD~1");
  const theirs = workspace.git("rev-parse", "main");

  await follow(hone);

  assert.equal(workspace.git("rev-parse", "main"), theirs);
  assert.equal(workspace.git("rev-parse", "hone"), both);
});

async function publicationOf(hone: OpenWorkspace): Promise<string> {
  return ((await hone.operations.status()) as { publication: string }).publication;
}

async function problemsOf(hone: OpenWorkspace): Promise<string> {
  return ((await hone.operations.status()) as { problems: string[] }).problems.join("\n");
}
