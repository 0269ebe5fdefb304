import assert from "node:assert/strict";
import { test } from "node:test";
import { HoneError } from "../../src/domain/errors.ts";
import { release } from "../../src/stages/7-release.ts";
import { rollback } from "../../src/stages/9-rollback.ts";
import { aRelease } from "../support/ledger.ts";
import { aYard, FOLDER, withVerbs } from "../support/releases.ts";

const WHY = { reason: "did worse", by: "hone" };

test("a rollback is one revert commit; the source goes back, the suite keeps its length", async (t) => {
  const { workspace, repository, store, ports, input } = await aYard(t);
  const wish = await input();
  const made = await release(wish, ports);
  const suite = workspace.git("show", `hone:${FOLDER}/cases.jsonl`);

  const revert = await rollback({ made, ...WHY }, ports);

  assert.equal(workspace.git("rev-list", "--count", `${made.commit}..hone`), "1");
  assert.equal(workspace.git("show", `hone:${FOLDER}/skill.js`), wish.skill.source);
  assert.equal(workspace.git("show", `hone:${FOLDER}/cases.jsonl`), suite);
  const { trailers, subject, body } = await repository.info(revert.commit);
  assert.equal(trailers["Hone-Reverts"], made.commit);
  assert.equal(trailers["Hone-Restores"], made.previous);
  assert.match(subject, /^skill\(parse-price\): roll back "/);
  assert.match(body, new RegExp(`This reverts commit ${made.commit}\\.`));
  assert.equal(store.release(made.commit)?.state, "rolled-back");
  assert.deepEqual([revert.state, revert.reverts], ["kept", made.commit]);
});

test("a file that the release brought is gone again, one that it removed is back", async (t) => {
  const { workspace, repository, store, ports } = await aYard(t);
  workspace.commit({ [`${FOLDER}/notes.md`]: "kept\n" });
  await repository.adopt(workspace.git("rev-parse", "HEAD"));
  const previous = await repository.lastChange(await repository.head(), FOLDER);
  const prepared = await repository.prepare(
    await repository.head(),
    { [`${FOLDER}/notes.md`]: null, [`${FOLDER}/extra.md`]: "new\n" },
    "skill(parse-price): a change of files",
  );
  const made = aRelease({ commit: prepared.commit, previous });
  store.addPendingRelease(made);
  await repository.advance(prepared, null);
  store.setRelease(made.commit, "watching", "made");

  await rollback({ made, ...WHY }, ports);

  const files = workspace.git("ls-tree", "-r", "--name-only", "hone", FOLDER);
  assert.match(files, /notes\.md/);
  assert.doesNotMatch(files, /extra\.md/);
});

test("what a person has changed since is not taken back", async (t) => {
  const { workspace, repository, ports, input } = await aYard(t);
  const made = await release(await input(), ports);
  workspace.git("merge", "--quiet", "--ff-only", "hone");
  workspace.commit({ [`${FOLDER}/notes.md`]: "mine\n" });
  await repository.adopt(workspace.git("rev-parse", "HEAD"));
  const head = await repository.head();

  const rolling = rollback({ made, ...WHY }, ports);

  await assert.rejects(rolling, { code: "refused", message: /has changed since release/ });
  assert.equal(await repository.head(), head);
});

test("a person's uncommitted work is not rolled back over", async (t) => {
  const { workspace, repository, ports, input } = await aYard(t);
  const made = await release(await input(), ports);
  workspace.git("merge", "--quiet", "--ff-only", "hone");
  workspace.write({ [`${FOLDER}/skill.js`]: "half written" });

  const rolling = rollback({ made, ...WHY }, ports);

  await assert.rejects(rolling, { code: "refused", message: /not committed/ });
  assert.equal(await repository.head(), made.commit);
});

test("where the branch cannot be moved, the release is still under watch", async (t) => {
  const { repository, store, ports, input } = await aYard(t);
  const made = await release(await input(), ports);
  const broken = withVerbs(repository, {
    advance: async () => {
      throw new HoneError("git-conflict", "somebody was faster", { retryable: true });
    },
  });

  const rolling = rollback({ made, ...WHY }, { ...ports, repository: broken });

  await assert.rejects(rolling, { code: "git-conflict" });
  const states = store.releases({ limit: 5 }).map(({ state }) => state);
  assert.deepEqual(states, ["aborted", "watching"]);
  const revert = await rollback({ made, ...WHY }, ports);
  assert.equal(await repository.head(), revert.commit);
});

test("where the branch was moved and the answer was lost, the rollback stands", async (t) => {
  const { repository, store, ports, input } = await aYard(t);
  const made = await release(await input(), ports);
  const forgetful = withVerbs(repository, {
    advance: async (prepared, evidence) => {
      await repository.advance(prepared, evidence);
      throw new HoneError("git-failed", "git was ended at its limit");
    },
  });

  await rollback({ made, ...WHY }, { ...ports, repository: forgetful });

  assert.equal(store.release(made.commit)?.state, "rolled-back");
});

test("a reason from outside cannot forge a trailer", async (t) => {
  const { repository, ports, input } = await aYard(t);
  const made = await release(await input(), ports);
  const reason = "worse\n\nHone-Reverts: 0000\nHone-Approved-By: nobody";

  const revert = await rollback({ made, reason, by: "Ann\nHone-Verdict: pass" }, ports);

  const { trailers } = await repository.info(revert.commit);
  assert.deepEqual(Object.keys(trailers).toSorted(), [
    "Hone-Restores",
    "Hone-Reverts",
    "Hone-Rollback-By",
  ]);
  assert.equal(trailers["Hone-Reverts"], made.commit);
});

test("a picture that the release left alone does not stand in the way", async (t) => {
  const { workspace, repository, ports, input } = await aYard(t);
  workspace.commit({ [`${FOLDER}/logo.png`]: Buffer.from([0x89, 0xff]) });
  await repository.adopt(workspace.git("rev-parse", "HEAD"));
  const wish = await input();
  const made = await release(wish, ports);

  await rollback({ made, ...WHY }, ports);

  assert.equal(workspace.git("show", `hone:${FOLDER}/skill.js`), wish.skill.source);
  assert.match(workspace.git("ls-tree", "--name-only", "hone", `${FOLDER}/`), /logo\.png/);
});

test("a picture that would have to be given back is refused by its name", async (t) => {
  const { workspace, repository, ports } = await aYard(t);
  workspace.commit({ [`${FOLDER}/logo.png`]: Buffer.from([0x89, 0xff]) });
  await repository.adopt(workspace.git("rev-parse", "HEAD"));
  const previous = await repository.head();
  const prepared = await repository.prepare(
    previous,
    { [`${FOLDER}/logo.png`]: null },
    "skill(parse-price): without its picture",
  );
  await repository.advance(prepared, null);
  const made = aRelease({ commit: prepared.commit, previous });

  const rolling = rollback({ made, ...WHY }, ports);

  await assert.rejects(rolling, { code: "refused", message: /logo\.png .*not a text/ });
  assert.equal(await repository.head(), prepared.commit);
});
