import assert from "node:assert/strict";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { suite, test } from "node:test";
import type { Repository } from "../../../src/ports/repository.ts";
import {
  SKILL,
  SOURCE,
  aGitWorkspace,
  release,
  type GitWorkspace,
} from "../../support/git-workspace.ts";

const BETTER = SOURCE.replace("name;", "`Hello ${name}`;");

/** What a person may be in the middle of; each leaves the checkout so. */
const SITUATIONS: Readonly<Record<string, (workspace: GitWorkspace) => void>> = {
  "a clean checkout": () => undefined,
  "changed, staged, removed and new files": (workspace) => {
    workspace.write({ "staged.txt": "1", [SKILL]: "mine\n" });
    workspace.git("add", "staged.txt");
    workspace.write({ "staged.txt": "2", "new.txt": "1" });
    rmSync(path.join(workspace.top, "keep.txt"));
  },
  "a stash": (workspace) => {
    workspace.write({ "keep.txt": "stashed" });
    workspace.git("stash");
  },
  "a detached HEAD": (workspace) => {
    workspace.git("checkout", "--quiet", "--detach");
    workspace.write({ [SKILL]: "mine\n" });
  },
  "an index.lock that somebody holds": (workspace) => {
    workspace.write({ "keep.txt": "changed" });
    writeFileSync(path.join(workspace.top, ".git/index.lock"), "");
  },
  "a rebase that stopped at a conflict": (workspace) => {
    conflict(workspace);
    assert.notEqual(workspace.gitCode("rebase", "side"), 0);
  },
  "a merge that stopped at a conflict": (workspace) => {
    conflict(workspace);
    assert.notEqual(workspace.gitCode("merge", "side"), 0);
  },
  "a cherry-pick that stopped at a conflict": (workspace) => {
    conflict(workspace);
    assert.notEqual(workspace.gitCode("cherry-pick", "side"), 0);
  },
  "a bisection": (workspace) => {
    workspace.commit({ "keep.txt": "2" });
    workspace.commit({ "keep.txt": "3" });
    workspace.git("bisect", "start", "HEAD", "HEAD~2");
  },
};

suite("a person's checkout is as it was after a release, a rollback and an adoption", () => {
  for (const [situation, arrange] of Object.entries(SITUATIONS)) {
    test(situation, async (t) => {
      const workspace = await aGitWorkspace(t, { files: { [SKILL]: SOURCE, "keep.txt": "1" } });
      const repository = await workspace.open({ publish: "manual", branch: "main" });
      arrange(workspace);
      const before = portrait(workspace);

      await releaseAndRollBack(repository);
      await repository.adopt((await repository.followed())?.head ?? "");
      await repository.uncommitted("");
      await repository.publish();

      assert.deepEqual(portrait(workspace), before);
    });
  }
});

suite("publish touches nothing that a person is working on", () => {
  test("a dirty file elsewhere stays dirty, and the release arrives", async (t) => {
    const workspace = await aGitWorkspace(t, { files: { [SKILL]: SOURCE, "keep.txt": "1" } });
    const repository = await workspace.open({ publish: "auto" });
    workspace.write({ "keep.txt": "mine", "new.txt": "mine" });
    workspace.git("add", "new.txt");
    const before = workspace.git("status", "--porcelain");

    await release(repository, { [SKILL]: BETTER });
    assert.deepEqual(await repository.publish(), { status: "published" });

    assert.equal(workspace.git("status", "--porcelain"), before);
    assert.equal(readFileSync(path.join(workspace.top, SKILL), "utf8"), BETTER);
    assert.equal(workspace.git("rev-parse", "main"), workspace.git("rev-parse", "hone"));
  });

  const touched: Readonly<Record<string, (workspace: GitWorkspace) => void>> = {
    "a changed file": (workspace) => workspace.write({ [SKILL]: "mine\n" }),
    "a staged file": (workspace) => {
      workspace.write({ [SKILL]: "mine\n" });
      workspace.git("add", SKILL);
    },
    "an untracked file": (workspace) => workspace.write({ "skills/greet/new.txt": "mine\n" }),
    "an index.lock": (workspace) => writeFileSync(path.join(workspace.top, ".git/index.lock"), ""),
  };
  for (const [what, arrange] of Object.entries(touched)) {
    test(`${what} in the way blocks it, with git's reason`, async (t) => {
      const workspace = await aGitWorkspace(t);
      const repository = await workspace.open({ publish: "auto" });
      arrange(workspace);
      const before = portrait(workspace);

      await release(repository, { [SKILL]: BETTER, "skills/greet/new.txt": "1" });
      const publication = await repository.publish();

      assert.equal(publication.status, "blocked");
      assert.match(publication.reason, /skills\/greet\/|index\.lock/);
      assert.doesNotMatch(publication.reason, /\n|Please|Aborting/);
      assert.deepEqual(portrait(workspace), before);
    });
  }

  for (const situation of ["merge", "cherry-pick"]) {
    test(`a ${situation} in progress blocks it`, async (t) => {
      const workspace = await aGitWorkspace(t, { files: { [SKILL]: SOURCE, "keep.txt": "1" } });
      const repository = await workspace.open({ publish: "auto" });
      SITUATIONS[`a ${situation} that stopped at a conflict`]?.(workspace);
      await repository.adopt(workspace.git("rev-parse", "main"));
      await release(repository, { [SKILL]: BETTER });
      const before = portrait(workspace);

      const publication = await repository.publish();

      assert.equal(publication.status, "blocked");
      assert.match(publication.reason, new RegExp(`a ${situation} is in progress`));
      assert.deepEqual(portrait(workspace), before);
    });
  }

  test("a branch under rebase is not moved", async (t) => {
    const workspace = await aGitWorkspace(t, { files: { [SKILL]: SOURCE, "keep.txt": "1" } });
    const repository = await workspace.open({ publish: "auto", branch: "main" });
    SITUATIONS["a rebase that stopped at a conflict"]?.(workspace);
    await repository.adopt(workspace.git("rev-parse", "main"));
    await release(repository, { [SKILL]: BETTER });
    const before = portrait(workspace);

    const publication = await repository.publish();

    assert.deepEqual(publication, { status: "blocked", reason: "main is being rebased" });
    assert.deepEqual(portrait(workspace), before);
  });

  test("a followed branch that nobody has checked out moves by itself", async (t) => {
    const workspace = await aGitWorkspace(t);
    const repository = await workspace.open({ publish: "auto", branch: "main" });
    workspace.git("checkout", "--quiet", "-b", "topic");
    const released = await release(repository, { [SKILL]: BETTER });

    assert.deepEqual(await repository.publish(), { status: "published" });

    assert.equal(workspace.git("rev-parse", "main"), released);
    assert.equal(workspace.git("status", "--porcelain"), "");
    assert.equal(readFileSync(path.join(workspace.top, SKILL), "utf8"), SOURCE);
  });

  test("a followed branch that another checkout has is merged there", async (t) => {
    const workspace = await aGitWorkspace(t);
    const repository = await workspace.open({ publish: "auto", branch: "main" });
    workspace.git("checkout", "--quiet", "-b", "topic");
    const other = path.join(workspace.top, ".git/other checkout");
    workspace.git("worktree", "add", "--quiet", other, "main");
    await release(repository, { [SKILL]: BETTER });

    assert.deepEqual(await repository.publish(), { status: "published" });
    assert.equal(readFileSync(path.join(other, SKILL), "utf8"), BETTER);

    await release(repository, { [SKILL]: SOURCE });
    rmSync(other, { recursive: true });
    const second = await repository.publish();
    assert.equal(second.status, "blocked");
    assert.match(second.reason, /is gone/);
  });
});

suite("the branch hone is never moved under a person", () => {
  test("not while it is checked out", async (t) => {
    const workspace = await aGitWorkspace(t);
    const repository = await workspace.open({ publish: "auto" });
    workspace.git("checkout", "--quiet", "hone");
    const before = portrait(workspace);

    await assert.rejects(release(repository, { [SKILL]: BETTER }), {
      code: "git-failed",
      message: /the branch hone is checked out in /,
    });

    assert.deepEqual(portrait(workspace), before);
    assert.equal(await repository.followed(), null);
    assert.equal((await repository.publish()).status, "blocked");
  });

  test("not while it is checked out in another worktree, nor by an adoption", async (t) => {
    const workspace = await aGitWorkspace(t);
    const repository = await workspace.open();
    workspace.git("worktree", "add", "--quiet", path.join(workspace.top, ".git/other"), "hone");
    const theirs = workspace.commit({ "notes.txt": "1" });

    await assert.rejects(repository.adopt(theirs), /the branch hone is checked out in /);
  });

  test("not while it is being rebased", async (t) => {
    const workspace = await aGitWorkspace(t, { files: { [SKILL]: SOURCE, "keep.txt": "1" } });
    const repository = await workspace.open();
    await release(repository, { "keep.txt": "2" });
    workspace.commit({ "keep.txt": "3" });
    assert.notEqual(workspace.gitCode("rebase", "main", "hone"), 0);

    await assert.rejects(
      release(repository, { [SKILL]: BETTER }),
      /the branch hone is being rebased/,
    );
  });
});

test("without a followed branch there is nothing to follow, and publish says so", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open({ publish: "auto" });
  const nowhere = await workspace.open({ publish: "auto", branch: "nowhere" });
  workspace.git("checkout", "--quiet", "--detach");

  assert.equal(await repository.followed(), null);
  assert.equal(await nowhere.followed(), null);
  const publication = await repository.publish();
  assert.equal(publication.status, "blocked");
  assert.match(publication.reason, /no branch is followed/);
});

async function releaseAndRollBack(repository: Repository): Promise<void> {
  const old = await repository.head();
  const parent = await release(repository, { [SKILL]: BETTER });
  const back = await repository.prepareRestore(
    parent,
    "skills/greet",
    old,
    "revert: x\n\nHone-Reverts: x",
  );
  await repository.advance(back, null);
}

/** Two branches that change the same line. */
function conflict(workspace: GitWorkspace): void {
  workspace.git("checkout", "--quiet", "-b", "side");
  workspace.commit({ "keep.txt": "side" });
  workspace.git("checkout", "--quiet", "main");
  workspace.commit({ "keep.txt": "main" });
}

/** All that a person could notice; `hone` and its notes are hone's own. */
function portrait(workspace: GitWorkspace): unknown {
  const gitDir = path.join(workspace.top, ".git");
  const index = readFileSync(path.join(gitDir, "index"));
  const status = workspace.git(
    "--no-optional-locks",
    "status",
    "--porcelain=v2",
    "--untracked-files=all",
  );
  const refs = workspace.git("for-each-ref", "--format=%(refname) %(objectname)");
  return {
    status,
    index: index.toString("base64"),
    head: readFileSync(path.join(gitDir, "HEAD"), "utf8"),
    refs: refs.split("\n").filter((line) => !/^refs\/(?:heads|notes)\/hone /.test(line)),
    stashes: workspace.git("stash", "list"),
    // COMMIT_EDITMSG and the like; what hone writes lies in objects, refs and logs.
    files: readdirSync(gitDir).filter((name) => name !== "ORIG_HEAD"),
    work: readdirSync(workspace.top, { recursive: true })
      .map(String)
      .filter((name) => !name.startsWith(".git/")),
  };
}
