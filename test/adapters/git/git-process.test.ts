import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { Git, type GitSettings } from "../../../src/adapters/git/git-process.ts";
import { temporaryFolder } from "../../support/ledger.ts";

/** A git that is a shell script. */
function aGit(t: TestContext, script: string, settings: Partial<GitSettings> = {}): Git {
  const folder = temporaryFolder(t);
  const file = path.join(folder, "git");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return new Git({
    folder,
    searchPath: `${folder}:/usr/local/bin:/usr/bin:/bin`,
    now: () => 1_700_000_000_500,
    ...settings,
  });
}

test("a git that hangs is stopped when the whole call has taken too long", async (t) => {
  const git = aGit(t, "sleep 600", { limitMs: 200 });

  await assert.rejects(git.run({ args: ["status"] }), {
    code: "git-failed",
    retryable: true,
    message: /git status .* did not end within 200 ms and was stopped/,
  });
});

test("output that goes on does not prolong the limit", async (t) => {
  const git = aGit(t, "while :; do echo on; sleep 0.05; done", { limitMs: 300 });

  await assert.rejects(git.run({ args: ["log"] }), /did not end within/);
});

test("a git that ignores SIGTERM is killed with everything it started", async (t) => {
  const git = aGit(t, "trap '' TERM; sleep 600 & echo $!; while :; do sleep 1; done", {
    limitMs: 200,
    graceMs: 100,
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  const start = git.start.bind(git);
  t.mock.method(git, "start", (call: Parameters<typeof start>[0]) => {
    const child = start(call);
    child.stdout.once("data", (chunk: Buffer) => resolve(Number(chunk)));
    return child;
  });

  await assert.rejects(git.run({ args: ["gc"] }), { code: "git-failed" });

  const sleeper = await promise;
  await gone(sleeper);
});

test("a pipe that a descendant holds open does not prolong the call", async (t) => {
  const git = aGit(t, "setsid sleep 3 & exit 0", { limitMs: 200, graceMs: 100 });

  await assert.rejects(git.run({ args: ["gc"] }), { code: "git-failed" });
});

test("output without end is cut off", async (t) => {
  const git = aGit(t, "exec yes");

  await assert.rejects(git.run({ args: ["log"] }), /wrote more than \d+ bytes/);
});

test("what git complains is the sentence of the error", async (t) => {
  const git = aGit(t, "echo 'warning: odd' >&2; echo 'fatal: bad object' >&2; exit 128");

  await assert.rejects(git.run({ args: ["log"] }), {
    code: "git-failed",
    retryable: false,
    message: /^git log failed in .*: bad object$/,
  });
});

test("an exit code that is an answer is one", async (t) => {
  const git = aGit(t, "exit 1");

  assert.equal((await git.run({ args: ["merge-base"], answers: [0, 1] })).code, 1);
});

test("a git that is not there is named", async (t) => {
  const git = aGit(t, "", { searchPath: "/nonexistent" });

  await assert.rejects(git.run({ args: ["log"] }), {
    code: "git-failed",
    message: /git could not be started/,
  });
});

test("a git that does not read its input still answers", async (t) => {
  const git = aGit(t, "echo done");

  const { output } = await git.run({ args: ["x"], stdin: "a".repeat(5_000_000) });

  assert.equal(output.toString(), "done\n");
});

test("nothing of the environment is inherited but the search path", async (t) => {
  const polluted = { GIT_DIR: "/nonexistent", GIT_INDEX_FILE: "/x", HOME: "/root", SECRET: "1" };
  const before = { ...process.env };
  Object.assign(process.env, polluted);
  t.after(() => {
    for (const name of Object.keys(polluted)) delete process.env[name];
    Object.assign(process.env, before);
  });
  const git = aGit(t, "exec env");

  const { output } = await git.run({ args: ["x"] });

  const lines = output.toString();
  assert.doesNotMatch(lines, /^(?:GIT_DIR|GIT_INDEX_FILE|SECRET)=/m);
  assert.match(lines, /^HOME=\/nonexistent$/m);
  assert.match(lines, /^GIT_CONFIG_GLOBAL=\/dev\/null$/m);
  assert.match(lines, /^GIT_COMMITTER_DATE=@1700000000 \+0000$/m);
});

/** Waits until a process is no more; the test's own limit ends the wait. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
