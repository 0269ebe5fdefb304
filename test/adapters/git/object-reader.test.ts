import assert from "node:assert/strict";
import { execFileSync, type ChildProcess } from "node:child_process";
import { test, type TestContext } from "node:test";
import { Git, type GitSettings } from "../../../src/adapters/git/git-process.ts";
import { ObjectReader } from "../../../src/adapters/git/object-reader.ts";
import { SKILL, SOURCE, aGitWorkspace } from "../../support/git-workspace.ts";

/** A git that remembers what it started. */
class WatchedGit extends Git {
  readonly started: ChildProcess[] = [];

  override start(call: Parameters<Git["start"]>[0]): ReturnType<Git["start"]> {
    const child = super.start(call);
    this.started.push(child);
    return child;
  }
}

async function aReader(
  t: TestContext,
  limitMs = 5_000,
): Promise<{ git: WatchedGit; reader: ObjectReader; blob: string; top: string }> {
  const { top } = await aGitWorkspace(t);
  const settings: GitSettings = {
    folder: top,
    searchPath: process.env["PATH"] ?? "",
    now: Date.now,
  };
  const git = new WatchedGit(settings);
  const reader = new ObjectReader(git, limitMs);
  t.after(() => reader[Symbol.asyncDispose]());
  return { git, reader, blob: await git.line(["rev-parse", `HEAD:${SKILL}`]), top };
}

test("many questions at once are answered by one process, each its own", async (t) => {
  const { git, reader, blob } = await aReader(t);
  const before = git.started.length;

  const names = Array.from({ length: 200 }, (_, at) =>
    at % 2 === 0 ? blob : `${"0".repeat(36)}${String(1_000 + at)}`,
  );
  const objects = await Promise.all(names.map((name) => reader.read(name)));

  assert.equal(git.started.length - before, 1);
  for (const [at, object] of objects.entries()) {
    assert.equal(object?.bytes.toString() ?? null, at % 2 === 0 ? SOURCE : null);
  }
});

test("a reader that was killed is replaced, and what it owed is asked again", async (t) => {
  const { git, reader, blob } = await aReader(t);
  await reader.read(blob);
  const [pid] = git.started.slice(-1).map((child) => child.pid ?? 0);

  const asked = reader.read(blob);
  process.kill(pid ?? 0, "SIGKILL");

  assert.equal((await asked)?.bytes.toString(), SOURCE);
  assert.equal((await reader.read(blob))?.bytes.toString(), SOURCE);
});

test("a reader that hangs is replaced, and an error if the next one hangs too", async (t) => {
  const { git, reader, blob } = await aReader(t, 300);
  await reader.read(blob);
  process.kill(git.started.at(-1)?.pid ?? 0, "SIGSTOP");
  assert.equal((await reader.read(blob))?.bytes.toString(), SOURCE);

  t.mock.method(git, "start", () => {
    const child = Git.prototype.start.call(git, { args: ["cat-file", "--batch"] });
    process.kill(child.pid ?? 0, "SIGSTOP");
    git.started.push(child);
    return child;
  });
  process.kill(git.started.at(-1)?.pid ?? 0, "SIGKILL");

  await assert.rejects(reader.read(blob), { code: "git-failed", retryable: true });
});

test("an object of the greatest kind is refused, and the next is read", async (t) => {
  const { git, reader, blob } = await aReader(t);
  const { output } = await git.run({
    args: ["hash-object", "-w", "--stdin"],
    stdin: new Uint8Array(33 * 1024 * 1024),
  });

  await assert.rejects(reader.read(output.toString().trim()), /larger than/);

  assert.equal((await reader.read(blob))?.type, "blob");
});

test("objects are found after a person repacked everything", async (t) => {
  const { reader, blob, top } = await aReader(t);
  await reader.read(blob);

  execFileSync("git", ["gc", "--quiet", "--prune=now"], { cwd: top });

  assert.equal((await reader.read(blob))?.bytes.toString(), SOURCE);
  assert.equal((await reader.read("refs/heads/hone"))?.type, "commit");
});

test("disposing leaves no process", async (t) => {
  const { git, reader, blob } = await aReader(t);
  await reader.read(blob);

  await reader[Symbol.asyncDispose]();

  assert.deepEqual(
    git.started.filter((child) => child.exitCode === null && child.signalCode === null),
    [],
  );
});

test("a reader that is closed refuses what is asked, and starts no process for it", async (t) => {
  const { git, reader, blob } = await aReader(t);
  await reader.read(blob);
  const before = git.started.length;

  const late = reader.read(blob);
  await reader[Symbol.asyncDispose]();

  await late.catch(() => undefined);
  await assert.rejects(reader.read(blob), { code: "git-failed" });
  assert.equal(git.started.length, before);
});
