import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, utimesSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { SKILL, aGitWorkspace, release, type GitWorkspace } from "../../support/git-workspace.ts";

const SCRIPT = path.join(import.meta.dirname, "../../support/git-release-process.ts");
const ROUNDS = 12;
const LOCKS = ["refs/heads/hone.lock", "refs/notes/hone.lock", "packed-refs.lock"];

test("killed at any moment, with or without its gits, the history is whole and goes on", async (t) => {
  const workspace = await aGitWorkspace(t);
  const status = workspace.git("status", "--porcelain=v2", "--branch");
  const told: string[] = [];

  for (let round = 0; round < ROUNDS; round += 1) {
    told.push(...(await releaseUntilKilled(workspace, round % 2 === 0)));
    age(workspace);
    const repository = await workspace.open();
    await repository.clearStaleLocks();
    assert.equal(workspace.git("fsck", "--strict", "--no-dangling", "--no-progress"), "");
    told.push(await release(repository, { "skills/greet/after.txt": String(round) }));
  }

  const history = workspace.git("log", "--first-parent", "--format=%H", "hone").split("\n");
  const released = history.slice(0, -1);
  const noted = new Set(
    workspace
      .git("notes", "--ref=hone", "list")
      .split("\n")
      .map((line) => line.split(" ")[1]),
  );
  assert.deepEqual(
    told.filter((commit) => !released.includes(commit)),
    [],
  );
  assert.deepEqual(
    released.filter((commit) => !noted.has(commit)),
    [],
  );
  assert.ok(released.length > ROUNDS, "nothing was released before the kills");
  assert.equal(workspace.git("status", "--porcelain=v2", "--branch"), status);
  assert.equal(workspace.gitCode("cat-file", "-e", `hone:${SKILL}`), 0);
});

/** Starts a process that releases, kills it at a random moment, and returns what it told. */
async function releaseUntilKilled(
  workspace: GitWorkspace,
  withItsGits: boolean,
): Promise<readonly string[]> {
  const child = spawn(process.execPath, [SCRIPT, workspace.dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(child.stdout, "data");
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
  const gits = childrenOf(child);
  child.kill("SIGKILL");
  if (withItsGits) for (const git of gits) killIfThere(git);
  await once(child, "close");
  await Promise.all(gits.map(ended));
  return output.split("\n").filter((line) => line.length === 40);
}

function childrenOf({ pid }: ChildProcess): readonly number[] {
  const file = `/proc/${String(pid)}/task/${String(pid)}/children`;
  return existsSync(file) ? readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number) : [];
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
  }
}

/** What the gits left behind end of themselves; the test's own limit ends the wait. */
async function ended(pid: number): Promise<void> {
  while (existsSync(`/proc/${String(pid)}/exe`)) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Instead of waiting until the locks are old. */
function age(workspace: GitWorkspace): void {
  const at = Date.now() / 1_000 - 60;
  for (const name of LOCKS) {
    const file = path.join(workspace.top, ".git", name);
    if (existsSync(file)) utimesSync(file, at, at);
  }
}
