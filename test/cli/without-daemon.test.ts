import assert from "node:assert/strict";
import { test } from "node:test";
import { hone } from "../support/hone.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const LAST_PAGE = skillFiles("page-count", {
  source:
    "export function pageCount(total: number, size: number): number {\n  return Math.floor(total / size);\n}\n",
  cases: [{ name: "full pages", input: { total: 40, size: 20 }, expect: 2 }],
  heldOut: [
    { name: "one item", input: { total: 1, size: 20 }, expect: 1 },
    { name: "one more than a page", input: { total: 21, size: 20 }, expect: 2 },
  ],
});

test("without a daemon, a command takes in what a person has committed", async (t) => {
  const { dir, ...person } = await personIn(t);

  person.commit(LAST_PAGE);
  const tested = await hone(["skills", "test", "page-count", "--json"], { cwd: dir });

  assert.equal(tested.code, 0, tested.stderr);
  assert.equal(JSON.parse(tested.stdout).passed, 1);
});

test("without a daemon, a command brings a release to the person's branch", async (t) => {
  const { dir, ...person } = await personIn(t);
  person.commit(LAST_PAGE);
  const input = JSON.stringify({ total: 41, size: 20 });
  await hone(["call", "page-count", "--input", input, "--expect", "3"], { cwd: dir });

  const improved = await hone(["improve", "page-count", "--json"], { cwd: dir });

  assert.equal(improved.code, 0, improved.stdout);
  assert.equal(person.git("rev-parse", "main"), JSON.parse(improved.stdout).commit);
  assert.match(person.git("show", "main:skills/page-count/skill.ts"), /Math\.ceil/);
  assert.equal(person.git("status", "--porcelain"), "");
});

test("without a daemon, a command says why it does not take a commit in", async (t) => {
  const { dir, ...person } = await personIn(t);
  const commit = person.commit({ "skills/page-count/skill.ts": "no such thing\n" });

  const listed = await hone(["skills"], { cwd: dir });

  assert.equal(listed.code, 0, listed.stderr);
  const short = commit.slice(0, 10);
  assert.match(listed.stderr, new RegExp(`^commit ${short} is not taken in:\\n  .*SKILL.md`));
});

test("without a daemon, the status shows once why a commit is not taken in", async (t) => {
  const { dir, ...person } = await personIn(t);
  person.commit({ "skills/page-count/skill.ts": "no such thing\n" });

  const { stdout, stderr } = await hone(["status"], { cwd: dir });

  assert.equal(stderr, "");
  assert.equal(stdout.split("is not taken in").length, 2);
});

test("a case nested too deep is named by its line, and nothing breaks", async (t) => {
  const { dir, ...person } = await personIn(t);
  const deep = "[".repeat(5_000) + "]".repeat(5_000);
  const cases = `{"input":{"total":1,"size":1},"expect":${deep}}\n`;
  person.commit({ ...LAST_PAGE, "skills/page-count/cases.jsonl": cases });

  const { code, stderr } = await hone(["skills"], { cwd: dir });

  assert.equal(code, 0, stderr);
  assert.match(stderr, /cases\.jsonl:1: is nested deeper than 64 levels/);
});

test("input nested too deep is the caller's mistake, on every way in", async (t) => {
  const { dir, ...person } = await personIn(t);
  person.commit(LAST_PAGE);
  const deep = "[".repeat(4_000) + "]".repeat(4_000);
  const call = ["call", "page-count", "--input"];

  const ended = [
    await hone([...call, `{"total":${deep}}`], { cwd: dir }),
    await hone([...call, "{}", "--expect", deep], { cwd: dir }),
    await hone(["submit", "-"], {
      cwd: dir,
      input: `{"skill":"page-count","input":{"total":${deep}}}\n`,
    }),
  ];

  for (const { code, stderr } of ended) {
    assert.equal(code, 2, stderr);
    assert.match(stderr, /nested deeper than 64 levels/);
  }
});

/** A workspace without skills, and the person at work in it. */
async function personIn(t: Parameters<typeof aWorkspace>[0]): Promise<{
  readonly dir: string;
  readonly git: (...args: readonly string[]) => string;
  readonly commit: (files: Readonly<Record<string, string>>) => string;
}> {
  const workspace = await aWorkspace(t, { "README.md": "tools\n", ...settings() });
  return {
    dir: workspace.dir,
    git: (...args) => workspace.git(...args),
    commit: (files) => workspace.commit(files),
  };
}

function settings(): Record<string, string> {
  return { "hone.yaml": "publish: auto\n" };
}
