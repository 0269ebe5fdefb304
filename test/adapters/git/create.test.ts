import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createRepository } from "../../../src/adapters/git/create.ts";
import { openRepository } from "../../../src/adapters/git/git-repository.ts";
import { GitWorkspace, SKILL, aGitWorkspace } from "../../support/git-workspace.ts";
import { temporaryFolder } from "../../support/ledger.ts";

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", [...args], { cwd, encoding: "utf8" }).trimEnd();
}

test("a folder without a repository gets one, its files in the first commit", async (t) => {
  const dir = temporaryFolder(t);
  mkdirSync(path.join(dir, "skills"));
  writeFileSync(path.join(dir, "skills/a.txt"), "1\r\n");
  writeFileSync(path.join(dir, ".gitignore"), "data/\n");
  mkdirSync(path.join(dir, "data"));
  writeFileSync(path.join(dir, "data/hone.db"), "x");

  const created = await createRepository(dir, () => 1_700_000_000_000);

  assert.equal(created.made, true);
  assert.equal(created.prefix, "");
  assert.equal(git(dir, "status", "--porcelain"), "");
  assert.equal(git(dir, "symbolic-ref", "HEAD"), "refs/heads/main");
  assert.equal(git(dir, "rev-parse", "main"), created.head);
  assert.equal(git(dir, "rev-parse", "hone"), created.head);
  assert.equal(git(dir, "ls-files"), ".gitignore\nskills/a.txt");
  assert.equal(git(dir, "log", "-1", "--format=%an %at"), "hone 1700000000");
  assert.equal(git(dir, "cat-file", "-s", "hone:skills/a.txt"), "3");
});

test("an empty folder gets a repository too, and again changes nothing", async (t) => {
  const dir = temporaryFolder(t);

  const first = await createRepository(dir);
  const second = await createRepository(dir);

  assert.deepEqual(second, { ...first, made: false });
});

test("in an existing repository only the branch hone is new", async (t) => {
  const workspace = new GitWorkspace("tools/hone");
  t.after(() => workspace.remove());
  workspace.git("init", "--quiet", "--initial-branch=trunk");
  const head = workspace.commit({ [SKILL]: "x" });
  workspace.write({ [SKILL]: "y", "new.txt": "z" });
  const status = workspace.git("status", "--porcelain=v2", "--branch");
  const index = readFileSync(path.join(workspace.top, ".git/index"));

  const created = await createRepository(workspace.dir);

  assert.deepEqual(created, { made: false, top: workspace.top, prefix: "tools/hone", head });
  assert.equal(workspace.git("status", "--porcelain=v2", "--branch"), status);
  assert.deepEqual(readFileSync(path.join(workspace.top, ".git/index")), index);
  assert.equal(workspace.git("branch", "--format=%(refname:short)"), "hone\ntrunk");
});

test("an existing branch hone is left where it is", async (t) => {
  const workspace = await aGitWorkspace(t);
  const old = workspace.git("rev-parse", "hone");
  workspace.commit({ "notes.txt": "1" });

  assert.equal((await createRepository(workspace.dir)).head, old);
});

test("a repository without a commit is refused in a sentence", async (t) => {
  const dir = temporaryFolder(t);
  git(dir, "init", "--quiet");

  await assert.rejects(createRepository(dir), {
    code: "git-failed",
    message: /has no commit yet/,
    hint: /Commit/,
  });
});

test("a bare repository is refused, by create and by open", async (t) => {
  const dir = temporaryFolder(t);
  git(dir, "init", "--quiet", "--bare");

  await assert.rejects(createRepository(dir), /is a bare repository/);
  await assert.rejects(openRepository({ dir, publish: "manual", branch: "" }), /bare repository/);
});

test("a repository of another hash is refused", async (t) => {
  const dir = temporaryFolder(t);
  git(dir, "init", "--quiet", "--object-format=sha256");

  await assert.rejects(createRepository(dir), /sha256/);
});

test("opening tells apart no repository, no branch hone, no folder and a bad setting", async (t) => {
  const dir = temporaryFolder(t);
  const settings = { dir, publish: "manual", branch: "" } as const;
  await assert.rejects(openRepository(settings), { code: "not-found", message: /not in a git/ });

  git(dir, "init", "--quiet");
  await assert.rejects(openRepository(settings), { code: "not-found", message: /no branch hone/ });

  await assert.rejects(openRepository({ ...settings, dir: `${dir}/gone` }), { code: "git-failed" });
  await assert.rejects(openRepository({ ...settings, branch: "--all" }), { code: "bad-config" });
});
