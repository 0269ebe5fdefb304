import assert from "node:assert/strict";
import { appendFileSync, chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test, type TestContext } from "node:test";
import {
  SKILL,
  SOURCE,
  aGitWorkspace,
  release,
  type GitWorkspace,
} from "../../support/git-workspace.ts";
import { temporaryFolder } from "../../support/ledger.ts";

const HOOKS = [
  "pre-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "pre-merge-commit",
  "post-merge",
  "post-checkout",
  "post-index-change",
  "reference-transaction",
];
const HOSTILE = {
  GIT_DIR: "/nonexistent",
  GIT_INDEX_FILE: "/nonexistent",
  GIT_AUTHOR_DATE: "never",
};

test("hooks, signing, filters, monitors, drivers and a polluted environment have no say", async (t) => {
  const lines = "a\nb\nc\nd\ne\nf\n";
  const workspace = await aGitWorkspace(t, {
    files: { [SKILL]: SOURCE, "skills/long.txt": lines },
  });
  const repository = await workspace.open({ publish: "auto" });
  const theirs = workspace.commit({ "skills/long.txt": lines.replace("f", "theirs") });
  const marker = plant(t, workspace);
  const startedAt = Date.now();

  const commit = await release(repository, {
    [SKILL]: "export const better = 1;\n",
    "skills/long.txt": lines.replace("a", "ours"),
  });
  const releasedAfterMs = Date.now() - startedAt;
  workspace.write({ [SKILL]: SOURCE.replace("name;", "`x`;") });
  await repository.uncommitted("");
  await repository.diff(theirs, commit, "");
  await repository.history("", 10);
  await repository.clearStaleLocks();
  const adoption = await repository.adopt(theirs);
  const publication = await repository.publish();

  assert.ok(releasedAfterMs < 5_000);
  assert.equal(existsSync(marker), false, "a program of the repository's configuration was run");
  assert.equal(adoption.status, "adopted");
  assert.equal(publication.status, "blocked");
  assert.match(publication.reason, /filter program/);
});

test("a file that a filter would rewrite is not published, others are", async (t) => {
  const workspace = await aGitWorkspace(t, { files: { [SKILL]: SOURCE, "keep.bin": "1" } });
  const repository = await workspace.open({ publish: "auto" });
  const marker = path.join(workspace.top, ".git/ran");
  workspace.git("config", "filter.evil.smudge", `touch ${marker}; cat`);
  workspace.git("config", "filter.evil.clean", `touch ${marker}; cat`);
  mkdirSync(path.join(workspace.top, ".git/info"), { recursive: true });
  writeFileSync(path.join(workspace.top, ".git/info/attributes"), "*.bin filter=evil\n");
  workspace.write({ "keep.bin": "2" });

  const commit = await release(repository, { [SKILL]: "export const better = 1;\n" });
  assert.deepEqual(await repository.publish(), { status: "published" });
  await release(repository, { "skills/greet/x.bin": "1" });
  const second = await repository.publish();

  assert.equal(second.status, "blocked");
  assert.match(second.reason, /skills\/greet\/x\.bin goes through a filter program/);
  assert.equal((await repository.followed())?.head, commit);
  assert.equal(existsSync(marker), false);
});

/** Plants programs wherever git would run one; each leaves a marker, and fails. */
function plant(t: TestContext, workspace: GitWorkspace): string {
  const folder = temporaryFolder(t);
  const marker = path.join(folder, "ran");
  const program = path.join(folder, "program");
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${marker}\nexit 1\n`);
  chmodSync(program, 0o755);
  const gitDir = path.join(workspace.top, ".git");
  mkdirSync(path.join(gitDir, "hooks"), { recursive: true });
  mkdirSync(path.join(gitDir, "info"), { recursive: true });
  for (const hook of HOOKS) {
    writeFileSync(path.join(gitDir, "hooks", hook), `#!/bin/sh\nexec ${program} ${hook}\n`);
    chmodSync(path.join(gitDir, "hooks", hook), 0o755);
  }
  writeFileSync(path.join(gitDir, "info/attributes"), "* filter=evil diff=evil merge=evil\n");
  appendFileSync(path.join(gitDir, "config"), hostileConfig(program, path.join(gitDir, "hooks")));
  writeFileSync(
    path.join(folder, ".gitconfig"),
    hostileConfig(program, path.join(gitDir, "hooks")),
  );
  pollute(t, { ...HOSTILE, HOME: folder, XDG_CONFIG_HOME: folder, GIT_EXTERNAL_DIFF: program });
  return marker;
}

function hostileConfig(program: string, hooks: string): string {
  return `
[core]
  fsmonitor = ${program}
  hooksPath = ${hooks}
  pager = ${program}
  editor = ${program}
  sshCommand = ${program}
[commit]
  gpgSign = true
[gpg]
  program = ${program}
[log]
  showSignature = true
[diff]
  external = ${program}
[diff "evil"]
  command = ${program}
  textconv = ${program}
[merge]
  verifySignatures = true
[branch "main"]
  mergeOptions = --no-ff --verify-signatures
[merge "evil"]
  driver = ${program}
[filter "evil"]
  clean = ${program}
  smudge = ${program}
  process = ${program}
  required = true
`;
}

function pollute(t: TestContext, variables: Readonly<Record<string, string>>): void {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  t.after(() => {
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
}
