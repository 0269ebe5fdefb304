import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { openRepository } from "../../../src/adapters/git/git-repository.ts";
import { aFolder } from "../../support/hone.ts";

const SETTINGS = { publish: "manual", branch: "", isLongLived: true } as const;

test("a long history gets a graph by which git finds what changed a path, a short one none", async (t) => {
  const short = await aHistory(t, 20);
  const long = await aHistory(t, 1_200);

  for (const dir of [short, long]) {
    await using _open = await openRepository({ dir, ...SETTINGS });
  }

  assert.deepEqual([short, long].map(hasGraph), [false, true]);
  assert.match(git(long, "commit-graph", "verify"), /^$/);
  await using hone = await openRepository({ dir: long, ...SETTINGS });
  assert.equal((await hone.history("skills/a", 500)).length, 120);
});

test("where a graph cannot be written, the history is asked all the same", async (t) => {
  const dir = await aHistory(t, 1_200);
  writeFileSync(path.join(dir, ".git/objects/info/commit-graph.lock"), "");
  utimesSync(path.join(dir, ".git/objects/info/commit-graph.lock"), 0, 0);

  await using hone = await openRepository({ dir, ...SETTINGS });

  assert.equal(hasGraph(dir), false);
  assert.equal((await hone.history("skills/a", 5)).length, 5);
});

function hasGraph(dir: string): boolean {
  return existsSync(path.join(dir, ".git/objects/info/commit-graph"));
}

/** So many commits on `hone`, of which every tenth changes the skill `a`. */
async function aHistory(t: Parameters<typeof aFolder>[0], commits: number): Promise<string> {
  const dir = await aFolder(t);
  git(dir, "init", "--quiet", "--initial-branch=main");
  const stream = Array.from({ length: commits }, (_, at) => {
    const file = `skills/${at % 10 === 0 ? "a" : "b"}/SKILL.md`;
    const text = `${at}\n`;
    const who = `committer A <a@example.com> ${1_700_000_000 + at} +0000`;
    return `commit refs/heads/hone\n${who}\ndata 1\nx\nM 100644 inline ${file}\ndata ${text.length}\n${text}\n`;
  });
  execFileSync("git", ["fast-import", "--quiet"], { cwd: dir, input: stream.join("") });
  return dir;
}

function git(dir: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: dir, encoding: "utf8" });
}
