import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { watch } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { canonical } from "../../../src/domain/json.ts";
import { createRepository } from "../../../src/adapters/git/create.ts";
import { openRepository } from "../../../src/adapters/git/git-repository.ts";
import {
  SKILL,
  SOURCE,
  aGitWorkspace,
  anEvidence,
  release,
  releaseInTurn,
} from "../../support/git-workspace.ts";
import { temporaryFolder } from "../../support/ledger.ts";

test("git log alone tells what was released and rolled back, in one line of commits", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  const first = await repository.head();
  const evidence = anEvidence({ parent: first });
  const digest = createHash("sha256").update(canonical(evidence)).digest("hex");
  const message = [
    "skill(greet): say hello",
    "The case `hello` gave `Ann`.",
    [
      "Hone-Incident: greet:wrong-value",
      "Hone-Reward: 0.50 -> 1.00",
      "Hone-Proposer: search",
      `Hone-Evidence: sha256:${digest}`,
    ].join("\n"),
  ].join("\n\n");

  const better = await repository.prepare(
    first,
    { [SKILL]: SOURCE.replace("name;", "1;") },
    message,
  );
  await repository.advance(better, evidence);
  const revert = await repository.prepareRestore(
    better.commit,
    "skills/greet",
    first,
    `revert(greet): it got worse\n\nHone-Reverts: ${better.commit}`,
  );
  await repository.advance(revert, null);

  const log = workspace.git("log", "hone", "--format=%H %P");
  assert.equal(
    log,
    `${revert.commit} ${better.commit}\n${better.commit} ${first}\n${first} `.trimEnd(),
  );
  const trailers = workspace.git("log", "-1", "--format=%(trailers:only,unfold)", better.commit);
  const parsed = (await repository.info(better.commit)).trailers;
  assert.equal(
    trailers.trim(),
    Object.entries(parsed)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n"),
  );
  const note = execFileSync("git", ["notes", "--ref=hone", "show", better.commit], {
    cwd: workspace.top,
  });
  assert.equal(
    parsed["Hone-Evidence"],
    `sha256:${createHash("sha256").update(note).digest("hex")}`,
  );
  assert.equal(workspace.git("diff", first, revert.commit), "");
  assert.equal((await repository.history("skills/greet", 10)).length, 3);
  assert.equal(workspace.git("fsck", "--strict", "--no-dangling"), "");
});

test("evidence is found after people's own notes rearranged the tree", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  const first = await repository.head();
  const commit = await release(repository, { [SKILL]: "export const a = 1;\n" });
  workspace.git("notes", "--ref=hone", "add", "-m", "a person's remark", first);

  const next = await release(repository, { [SKILL]: "export const a = 2;\n" });

  assert.match((await repository.evidence(commit)) ?? "", /^\{"after"/);
  assert.match((await repository.evidence(next)) ?? "", /^\{"after"/);
  assert.equal(await repository.evidence(first), "a person's remark\n");
  assert.match(workspace.git("notes", "--ref=hone", "show", next), /^\{"after"/);
  assert.equal(workspace.git("notes", "--ref=hone", "list").split("\n").length, 3);
});

test("evidence is there before the release that it belongs to", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  await release(repository, { [SKILL]: "export const a = 1;\n" });
  const moved: string[] = [];
  const both = Promise.withResolvers<void>();
  for (const folder of ["heads", "notes"]) {
    const watcher = watch(path.join(workspace.top, ".git/refs", folder), (_, name) => {
      if (name === "hone") moved.push(folder);
      if (new Set(moved).size === 2) both.resolve();
    });
    t.after(() => watcher.close());
  }

  await release(repository, { [SKILL]: "export const a = 2;\n" });
  await both.promise;

  assert.equal(moved[0], "notes");
});

test("a commit that was pruned before it was released is a conflict", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  const head = await repository.head();
  const prepared = await repository.prepare(head, { [SKILL]: "x" }, "x");
  workspace.git("gc", "--quiet", "--prune=now");

  await assert.rejects(repository.advance(prepared, null), { code: "git-conflict" });

  assert.equal(await repository.head(), head);
});

test("50 releases at once through two repositories are 50 commits, none lost", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repositories = [await workspace.open(), await workspace.open()];
  const names = Array.from({ length: 50 }, (_, at) => `skills/s${String(at)}/skill.ts`);

  const commits = await Promise.all(
    names.map((name, at) => {
      const repository = repositories[at % 2];
      assert.ok(repository);
      return releaseInTurn(repository, { [name]: name });
    }),
  );

  const log = workspace.git("log", "hone", "--format=%H").split("\n");
  assert.equal(log.length, 51);
  assert.deepEqual(new Set(commits), new Set(log.slice(0, 50)));
  assert.equal(workspace.git("ls-tree", "-r", "hone", "skills").split("\n").length, 51);
  assert.equal(workspace.git("notes", "--ref=hone", "list").split("\n").length, 50);
  assert.equal(workspace.git("fsck", "--strict", "--no-dangling"), "");
});

test("a shallow clone adopts, releases and tells its history", async (t) => {
  const origin = await aGitWorkspace(t);
  origin.commit({ "notes.txt": "1" });
  const dir = temporaryFolder(t);
  execFileSync("git", ["clone", "--quiet", "--depth=1", `file://${origin.top}`, dir], {
    stdio: "ignore",
  });
  await createRepository(dir);
  await using repository = await openRepository({ dir, publish: "auto", branch: "" });

  const ours = await release(repository, { [SKILL]: "export const a = 1;\n" });
  const person = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
  execFileSync("git", [...person, "commit", "-q", "--allow-empty", "-m", "mine"], { cwd: dir });
  const adoption = await repository.adopt((await repository.followed())?.head ?? "");

  assert.equal(adoption.status, "adopted");
  assert.deepEqual(await repository.publish(), { status: "published" });
  assert.equal(await repository.lastChange(await repository.head(), "skills"), ours);
});
