import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import * as fc from "../../support/property.ts";
import { aGitWorkspace, release, type GitWorkspace } from "../../support/git-workspace.ts";

const NAMES = ["a", "b", "c"];

/** A commit: how far back its parents lie, its date, and what each name holds; 0: nothing. */
const commit = fc.record({
  parents: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
  date: fc.integer({ min: 1_000_000_000, max: 1_000_000_020 }),
  holds: fc.tuple(...NAMES.map(() => fc.integer({ min: 0, max: 2 }))),
});

type Commit = { parents: readonly number[]; date: number; holds: readonly number[] };

/** A history as `git fast-import` reads it; each commit is a branch of its number. */
function streamOf(commits: readonly Commit[], prefix: string, round: number): string {
  return commits
    .map(({ parents, date, holds }, at) => {
      const from = [...new Set(parents.map((back) => at - back))].filter((one) => one >= 0);
      return [
        `commit refs/heads/round-${round}-${at}`,
        `mark :${at + 1}`,
        `committer Ann <ann@example.com> ${date} +0000`,
        `data 1\n${at % 10}`,
        ...from.map((one, nth) => `${nth === 0 ? "from" : "merge"} :${one + 1}`),
        "deleteall",
        ...holds.flatMap((content, nth) =>
          content === 0
            ? []
            : [`M 100644 inline ${prefix}skills/${NAMES[nth]}/x y\ndata 1\n${content}`],
        ),
        "",
      ].join("\n");
    })
    .join("\n");
}

for (const prefix of ["", "work/space/"]) {
  test(`the last changes of all skills are those that git tells of each, whatever was merged (in "${prefix}")`, async (t) => {
    const workspace = await aGitWorkspace(t, { prefix: prefix.slice(0, -1) });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(commit, { minLength: 2, maxLength: 12 }),
        fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 3 }),
        async (commits, asked) => {
          round += 1;
          const input = streamOf(commits, prefix, round);
          execFileSync("git", ["fast-import", "--quiet"], { cwd: workspace.top, input });
          // One repository is asked for several heads: it may end a walk where another began.
          const repository = await workspace.open();
          for (const at of asked) {
            const head = workspace.git("rev-parse", `round-${round}-${at % commits.length}`);
            const found = await repository.lastChanges(head, "skills");
            assert.deepEqual(Object.fromEntries(found), expectedAt(head, workspace));
            for (const [name, version] of found) {
              assert.equal(await repository.lastChange(head, `skills/${name}`), version);
            }
          }
        },
      ),
      { numRuns: 8 },
    );
  });
}

/** What git itself says, one name after the other. */
function expectedAt(head: string, workspace: GitWorkspace): Readonly<Record<string, string>> {
  const held = workspace.git("-C", workspace.dir, "ls-tree", "--name-only", head, "skills/");
  const paths = held.split("\n").filter(Boolean);
  const versions = paths.map((path) => [
    path.slice("skills/".length),
    workspace.git("-C", workspace.dir, "rev-list", "-1", head, "--", path),
  ]);
  return Object.fromEntries(versions) as Record<string, string>;
}

test("after a release only what it changed has a new version, and a deleted skill has none", async (t) => {
  const workspace = await aGitWorkspace(t, {
    files: { "skills/a/x": "1", "skills/b/x": "1", "skills/c/x": "1" },
  });
  const repository = await workspace.open();
  const first = await repository.head();
  await repository.lastChanges(first, "skills");

  const second = await release(repository, { "skills/b/x": "2" });
  const third = await release(repository, { "skills/c/x": null });

  assert.deepEqual(Object.fromEntries(await repository.lastChanges(third, "skills")), {
    a: first,
    b: second,
  });
  assert.equal(await repository.lastChange(third, "skills/c"), third);
  assert.deepEqual(Object.fromEntries(await repository.lastChanges(third, "nothing")), {});
  await assert.rejects(repository.lastChanges("0".repeat(40), "skills"), { code: "not-found" });
});
