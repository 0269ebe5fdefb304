import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { SKILL, aGitWorkspace, release, type GitWorkspace } from "../../support/git-workspace.ts";

const OWN = ["refs/heads/hone.lock", "refs/notes/hone.lock"];
const ALL = [...OWN, "packed-refs.lock", "index.lock"];

/** A lock as a killed git leaves it, some seconds ago. */
function leaveLock(workspace: GitWorkspace, name: string, secondsAgo = 60): string {
  const file = path.join(workspace.top, ".git", name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "");
  const at = Date.now() / 1_000 - secondsAgo;
  utimesSync(file, at, at);
  return file;
}

test("locks that a killed git left are removed, and named", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  const files = ALL.map((name) => leaveLock(workspace, name));

  assert.deepEqual(await repository.clearStaleLocks(), ALL);

  assert.deepEqual(files.filter(existsSync), []);
});

test("a commit removes what stands in its way, and names it when asked next", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  for (const name of OWN) leaveLock(workspace, name);

  const commit = await release(repository, { [SKILL]: "export const better = 1;\n" });

  assert.equal(await repository.head(), commit);
  assert.deepEqual(await repository.clearStaleLocks(), OWN);
  assert.deepEqual(await repository.clearStaleLocks(), []);
});

test("a young lock stays, and a commit says to try again", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  for (const name of ALL) leaveLock(workspace, name, 0);

  assert.deepEqual(await repository.clearStaleLocks(), []);
  await assert.rejects(release(repository, { [SKILL]: "x" }), {
    code: "git-conflict",
    retryable: true,
  });
});

test("a lock that a process has open stays", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  const open = openSync(leaveLock(workspace, "index.lock"), "r");

  assert.deepEqual(await repository.clearStaleLocks(), []);

  closeSync(open);
  assert.deepEqual(await repository.clearStaleLocks(), ["index.lock"]);
});

test("no lock is removed while a git is at work in the repository", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  for (const name of ALL) leaveLock(workspace, name);
  const git = spawn("git", ["-c", "a.b=c", "update-ref", "--stdin"], { cwd: workspace.dir });
  await once(git, "spawn");

  assert.deepEqual(await repository.clearStaleLocks(), []);

  git.stdin.end();
  await once(git, "close");
  assert.deepEqual(await repository.clearStaleLocks(), ALL);
});

test("a git that takes no lock does not keep one in place", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  leaveLock(workspace, "index.lock");
  const git = spawn("git", ["hash-object", "--stdin"], { cwd: workspace.dir });
  await once(git, "spawn");

  assert.deepEqual(await repository.clearStaleLocks(), ["index.lock"]);

  git.stdin.end();
  await once(git, "close");
});

test("index.lock stays where the workspace is a part of a bigger repository", async (t) => {
  const workspace = await aGitWorkspace(t, { prefix: "tools" });
  const repository = await workspace.open();
  for (const name of ALL) leaveLock(workspace, name);

  assert.deepEqual(await repository.clearStaleLocks(), [...OWN, "packed-refs.lock"]);
});
