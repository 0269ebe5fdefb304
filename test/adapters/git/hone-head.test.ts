import assert from "node:assert/strict";
import { test } from "node:test";
import { aGitWorkspace } from "../../support/git-workspace.ts";

test("a branch that somebody else moves is seen at once, moved back too", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  const first = await repository.head();
  const second = workspace.commit({ "a.txt": "2" });

  const heads = [second, first, second].map((to) => async () => {
    workspace.git("update-ref", "refs/heads/hone", to);
    return await repository.head();
  });

  assert.deepEqual(
    [await heads[0]?.(), await heads[1]?.(), await heads[2]?.()],
    [second, first, second],
  );
});

test("a branch that is packed, and moved after that, is where git says", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  const first = await repository.head();
  const second = workspace.commit({ "a.txt": "2" });

  workspace.git("pack-refs", "--all");
  const packed = await repository.head();
  workspace.git("update-ref", "refs/heads/hone", second);
  workspace.git("pack-refs", "--all");

  assert.equal(packed, first);
  assert.equal(await repository.head(), second);
});

test("a branch that is gone is not found, and found when it is back", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  const first = await repository.head();

  workspace.git("branch", "--quiet", "-D", "hone");

  await assert.rejects(repository.head(), { code: "not-found" });
  workspace.git("branch", "hone", first);
  assert.equal(await repository.head(), first);
});
