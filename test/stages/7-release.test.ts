import assert from "node:assert/strict";
import { test } from "node:test";
import { HoneError } from "../../src/domain/errors.ts";
import { release } from "../../src/stages/7-release.ts";
import { aYard, CASES_TEXT, FOLDER, withVerbs } from "../support/releases.ts";

test("a release is one commit with the source, one more case, trailers and its evidence", async (t) => {
  const { workspace, repository, store, ports, input } = await aYard(t);
  const parent = await repository.head();
  const wish = await input();

  const made = await release(wish, ports);

  assert.equal(await repository.head(), made.commit);
  assert.equal(workspace.git("rev-list", "--count", `${parent}..hone`), "1");
  assert.equal(workspace.git("show", `hone:${FOLDER}/skill.js`), wish.patched.source);
  const suite = workspace.git("show", `hone:${FOLDER}/cases.jsonl`);
  assert.ok(suite.startsWith(CASES_TEXT));
  assert.equal(suite.split("\n").length, 2);
  const { trailers } = await repository.info(made.commit);
  const evidence = (await repository.evidence(made.commit)) ?? "";
  assert.equal(trailers["Hone-Evidence"], `sha256:${ports.sha256(evidence)}`);
  assert.deepEqual([made.state, store.release(made.commit)?.state], ["watching", "watching"]);
  assert.deepEqual([made.previous, made.candidateId], [wish.skill.version, "candidate-1"]);
});

test("the pending row is written before the branch moves", async (t) => {
  const { repository, store, ports, input } = await aYard(t);
  const seen: (string | undefined)[] = [];
  const watching = withVerbs(repository, {
    advance: async (prepared, evidence) => {
      seen.push(store.release(prepared.commit)?.state);
      await repository.advance(prepared, evidence);
    },
  });

  await release(await input(), { ...ports, repository: watching });

  assert.deepEqual(seen, ["pending"]);
});

test("where the branch cannot be moved, the row says aborted and the branch stays", async (t) => {
  const { repository, store, ports, input } = await aYard(t);
  const head = await repository.head();
  const broken = withVerbs(repository, {
    advance: async () => {
      throw new HoneError("git-conflict", "somebody was faster", { retryable: true });
    },
  });

  const releasing = release(await input(), { ...ports, repository: broken });

  await assert.rejects(releasing, { code: "git-conflict", retryable: true });
  assert.equal(await repository.head(), head);
  const states = store.releases({ limit: 5 }).map(({ state }) => state);
  assert.deepEqual(states, ["aborted"]);
});

test("where the branch was moved and the answer was lost, the release stands", async (t) => {
  const { repository, store, ports, input } = await aYard(t);
  const forgetful = withVerbs(repository, {
    advance: async (prepared, evidence) => {
      await repository.advance(prepared, evidence);
      throw new HoneError("git-failed", "git was ended at its limit");
    },
  });

  const made = await release(await input(), { ...ports, repository: forgetful });

  assert.equal(await repository.head(), made.commit);
  assert.equal(store.release(made.commit)?.state, "watching");
});

test("an aborted release can be made again", async (t) => {
  const { repository, store, ports, input } = await aYard(t);
  const broken = withVerbs(repository, {
    advance: async () => {
      throw new HoneError("git-failed", "no room");
    },
  });
  await assert.rejects(release(await input(), { ...ports, repository: broken }));

  const made = await release(await input(), ports);

  assert.equal(store.release(made.commit)?.state, "watching");
  assert.equal(await repository.head(), made.commit);
});

test("a person's uncommitted work on the skill is not released over", async (t) => {
  const { workspace, repository, store, ports, input } = await aYard(t);
  const head = await repository.head();
  workspace.write({ [`${FOLDER}/skill.js`]: "half written" });

  const releasing = release(await input(), ports);

  await assert.rejects(releasing, { code: "refused", message: /skill\.js has changes/ });
  assert.equal(await repository.head(), head);
  assert.deepEqual(store.releases({ limit: 5 }), []);
});

test("a skill that moved meanwhile is a conflict that can be tried again", async (t) => {
  const { ports, input } = await aYard(t);
  const stale = await input();
  await release(stale, ports);

  const releasing = release(stale, ports);

  await assert.rejects(releasing, { code: "git-conflict", retryable: true });
});

test("another skill that moved meanwhile is none of its business", async (t) => {
  const { repository, ports, input } = await aYard(t);
  const wish = await input();
  const prepared = await repository.prepare(
    await repository.head(),
    { "skills/other/skill.ts": "export function other() {}\n" },
    "skill(other): begins",
  );
  await repository.advance(prepared, null);

  const made = await release(wish, ports);

  assert.equal(await repository.head(), made.commit);
});
