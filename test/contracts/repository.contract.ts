import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { canonical } from "../../src/domain/json.ts";
import type { Repository } from "../../src/ports/repository.ts";
import { SKILL, SOURCE, anEvidence, release } from "../support/git-workspace.ts";

/** A repository whose `hone` has one commit with SKILL in it, and the person who works beside it. */
export type RepositoryUnderTest = {
  readonly repository: Repository;
  /** The person commits a file on the followed branch; returns the commit. */
  readonly commit: (files: Readonly<Record<string, string>>) => string;
  /** The person takes their newest commit back, files and all. */
  readonly reset: () => void;
  /** The person changes files of the work tree and commits nothing. */
  readonly write: (files: Readonly<Record<string, string>>) => void;
};
type Make = (
  t: TestContext,
  settings?: { readonly publish: "auto" | "manual" },
) => Promise<RepositoryUnderTest>;

const BETTER = SOURCE.replace("name;", "`Hello ${name}`;");
const MISSING = "1".repeat(40);

/** What every repository keeps, whatever it is made of. */
export function repositoryContract(name: string, make: Make): void {
  suite(`repository contract: ${name}`, () => {
    releases(make);
    reads(make);
    people(make);
    absences(make);
  });
}

function releases(make: Make): void {
  test("preparing a commit moves nothing", async (t) => {
    const { repository } = await make(t);
    const before = await repository.head();

    const prepared = await repository.prepare(before, { [SKILL]: BETTER }, "skill(greet): x");

    assert.equal(prepared.parent, before);
    assert.equal(await repository.head(), before);
    assert.deepEqual((await repository.info(prepared.commit)).parents, [before]);
  });

  test("advancing moves hone and brings the evidence, readable as it was given", async (t) => {
    const { repository } = await make(t);
    const prepared = await repository.prepare(
      await repository.head(),
      { [SKILL]: BETTER },
      "skill(greet): x",
    );
    const evidence = anEvidence({ reason: "ünïcode\n\u{1f600}" });

    await repository.advance(prepared, evidence);

    assert.equal(await repository.head(), prepared.commit);
    assert.equal(await repository.evidence(prepared.commit), canonical(evidence));
  });

  test("of two commits on one parent, the second is a conflict that can be retried", async (t) => {
    const { repository } = await make(t);
    const parent = await repository.head();
    const first = await repository.prepare(parent, { "skills/a/x.txt": "1" }, "skill(a): x");
    const second = await repository.prepare(parent, { "skills/b/x.txt": "2" }, "skill(b): x");
    await repository.advance(first, anEvidence());

    await assert.rejects(repository.advance(second, anEvidence()), {
      code: "git-conflict",
      retryable: true,
    });

    assert.equal(await repository.head(), first.commit);
    assert.equal(await repository.evidence(second.commit), null);
  });

  test("a commit that would change no file is refused", async (t) => {
    const { repository } = await make(t);

    const same = repository.prepare(await repository.head(), { [SKILL]: SOURCE }, "x");

    await assert.rejects(same, { code: "git-failed" });
  });

  test("null removes a file, and an empty folder goes with it", async (t) => {
    const { repository } = await make(t);
    await release(repository, { "skills/a/x.txt": "1" });

    const commit = await release(repository, { "skills/a/x.txt": null });

    const paths = (await repository.files(commit, "")).map((file) => file.path);
    assert.deepEqual(paths, [SKILL]);
  });

  test("restoring gives one folder the content it had, and leaves the others", async (t) => {
    const { repository } = await make(t);
    const old = await repository.head();
    await release(repository, { [SKILL]: BETTER, "skills/greet/extra.txt": "more" });
    const parent = await release(repository, { "skills/other/x.txt": "kept" });

    const prepared = await repository.prepareRestore(parent, "skills/greet", old, "revert: x");
    await repository.advance(prepared, null);

    assert.deepEqual(
      await repository.files(prepared.commit, "skills/greet"),
      await repository.files(old, "skills/greet"),
    );
    assert.equal((await repository.files(prepared.commit, "skills/other")).length, 1);
    assert.equal(await repository.evidence(prepared.commit), null);
  });
}

function reads(make: Make): void {
  test("files of a folder are named from the workspace, with their blobs", async (t) => {
    const { repository } = await make(t);

    const [file, ...others] = await repository.files(await repository.head(), "skills/greet");

    assert.deepEqual(others, []);
    assert.equal(file?.path, SKILL);
    assert.equal(await repository.text(file.blob), SOURCE);
  });

  test("history names the commits of a folder, newest first, with their trailers", async (t) => {
    const { repository } = await make(t);
    const message =
      "skill(greet): better\n\nWhy.\n\nHone-Reward: 0.50 -> 1.00\nHone-Proposer: search";
    const better = await release(repository, { [SKILL]: BETTER }, message);
    await release(repository, { "skills/other/x.txt": "1" }, "skill(other): x");

    const history = await repository.history("skills/greet", 10);

    assert.equal(history.length, 2);
    assert.equal(history[0]?.commit, better);
    assert.equal(history[0].subject, "skill(greet): better");
    assert.match(history[0].body, /^Why\./);
    assert.deepEqual(history[0].trailers, {
      "Hone-Reward": "0.50 -> 1.00",
      "Hone-Proposer": "search",
    });
    assert.deepEqual(history[1]?.trailers, {});
    assert.equal((await repository.history("skills/greet", 1)).length, 1);
  });

  test("the last change of a folder is found behind later commits", async (t) => {
    const { repository } = await make(t);
    const better = await release(repository, { [SKILL]: BETTER });
    const head = await release(repository, { "skills/other/x.txt": "1" });

    assert.equal(await repository.lastChange(head, "skills/greet"), better);
    assert.equal(await repository.isAncestor(better, head), true);
    assert.equal(await repository.isAncestor(head, better), false);
  });

  test("a diff shows one folder, by names from the workspace", async (t) => {
    const { repository } = await make(t);
    const from = await repository.head();
    const to = await release(repository, { [SKILL]: BETTER, "skills/other/x.txt": "1" });

    const diff = await repository.diff(from, to, "skills/greet");

    assert.match(diff, /^--- a\/skills\/greet\/skill\.ts$/m);
    assert.match(diff, /^\+ {2}return `Hello/m);
    assert.doesNotMatch(diff, /other/);
  });
}

function people(make: Make): void {
  test("the followed branch is the same, ahead, behind or diverged", async (t) => {
    const { repository, commit } = await make(t);
    assert.equal((await repository.followed())?.relation, "same");

    const theirs = commit({ "notes.txt": "1" });
    const ahead = await repository.followed();
    assert.deepEqual([ahead?.relation, ahead?.head], ["ahead", theirs]);

    await release(repository, { [SKILL]: BETTER });
    assert.equal((await repository.followed())?.relation, "diverged");

    await repository.adopt(theirs);
    assert.equal((await repository.followed())?.relation, "behind");
  });

  test("people's commits are adopted by fast-forward where only they are new", async (t) => {
    const { repository, commit } = await make(t);
    const theirs = commit({ "notes.txt": "1" });

    assert.deepEqual(await repository.adopt(theirs), { status: "adopted", commit: theirs });

    assert.equal(await repository.head(), theirs);
  });

  test("and by a merge with hone's trailer where both are new", async (t) => {
    const { repository, commit } = await make(t);
    const ours = await release(repository, { [SKILL]: BETTER });
    const theirs = commit({ "notes.txt": "1" });

    const adoption = await repository.adopt(theirs);

    assert.equal(adoption.status, "adopted");
    const info = await repository.info(await repository.head());
    assert.deepEqual(info.parents, [ours, theirs]);
    assert.deepEqual(info.trailers, { "Hone-Adopts": theirs });
    const paths = (await repository.files(info.commit, "")).map((file) => file.path);
    assert.deepEqual(paths, ["notes.txt", SKILL]);
    assert.equal(await repository.lastChange(info.commit, "skills/greet"), ours);
  });

  test("a conflict adopts nothing and names the files", async (t) => {
    const { repository, commit } = await make(t);
    const ours = await release(repository, { [SKILL]: BETTER });
    const theirs = commit({ [SKILL]: SOURCE.replace("name;", "name.trim();") });

    const adoption = await repository.adopt(theirs);

    assert.equal(adoption.status, "conflict");
    assert.match(adoption.reason, /skills\/greet\/skill\.ts/);
    assert.equal(await repository.head(), ours);
  });

  test("publish brings the followed branch to hone, and only by fast-forward", async (t) => {
    const { repository, commit } = await make(t, { publish: "auto" });
    const released = await release(repository, { [SKILL]: BETTER });
    assert.deepEqual(await repository.publish(), { status: "published" });
    assert.equal((await repository.followed())?.head, released);
    assert.deepEqual(await repository.publish(), { status: "up-to-date" });

    commit({ "notes.txt": "1" });
    await release(repository, { "skills/other/x.txt": "1" });

    const second = await repository.publish();
    assert.equal(second.status, "blocked");
    assert.match(second.reason, /has not taken in/);
  });

  test("publish never brings back a commit that a person took back, released upon or not", async (t) => {
    const { repository, commit, reset } = await make(t, { publish: "auto" });
    const kept = await repository.head();
    const oops = commit({ "notes.txt": "1" });
    await repository.adopt(oops);
    reset();

    const first = await repository.publish();
    await release(repository, { [SKILL]: BETTER });
    const second = await repository.publish();

    for (const publication of [first, second]) {
      assert.equal(publication.status, "blocked");
      assert.match(publication.reason, new RegExp(`is without commit ${oops.slice(0, 10)}`));
    }
    const followed = await repository.followed();
    assert.deepEqual([followed?.head, followed?.relation], [kept, "behind"]);
    assert.match(followed?.takenBack ?? "", /git merge hone/);
  });

  test("nor is a commit in its place merged with it", async (t) => {
    const { repository, commit, reset } = await make(t, { publish: "auto" });
    const oops = commit({ "notes.txt": "1" });
    await repository.adopt(oops);
    reset();
    const instead = commit({ "other.txt": "1" });

    const adoption = await repository.adopt(instead);

    assert.equal(adoption.status, "conflict");
    assert.match(adoption.reason, new RegExp(`is without commit ${oops.slice(0, 10)}`));
    assert.equal(await repository.head(), oops);
    assert.equal((await repository.publish()).status, "blocked");
    assert.equal((await repository.followed())?.head, instead);
  });

  test("publish brings a merge of people's commits, which the branch has, together with hone's", async (t) => {
    const { repository, commit } = await make(t, { publish: "auto" });
    await release(repository, { [SKILL]: BETTER });
    await repository.adopt(commit({ "notes.txt": "1" }));

    assert.deepEqual(await repository.publish(), { status: "published" });

    assert.equal((await repository.followed())?.relation, "same");
  });

  test("publish leaves it to people where the workspace says so", async (t) => {
    const { repository } = await make(t, { publish: "manual" });
    await release(repository, { [SKILL]: BETTER });

    assert.deepEqual(await repository.publish(), { status: "manual" });

    assert.equal((await repository.followed())?.relation, "behind");
  });

  test("uncommitted names what the work tree has changed, folder by folder", async (t) => {
    const { repository, write } = await make(t);
    assert.deepEqual(await repository.uncommitted(""), []);

    write({ [SKILL]: BETTER, "skills/new/a b.txt": "1", "notes.txt": "1" });

    assert.deepEqual(await repository.uncommitted("skills"), [SKILL, "skills/new/a b.txt"]);
    assert.deepEqual(await repository.uncommitted("skills/new"), ["skills/new/a b.txt"]);
  });
}

function absences(make: Make): void {
  test("what is not there is not-found", async (t) => {
    const { repository } = await make(t);
    const head = await repository.head();
    const absent = { code: "not-found" };

    await assert.rejects(repository.info(MISSING), absent);
    await assert.rejects(repository.info("--all"), absent);
    await assert.rejects(repository.text(MISSING), absent);
    await assert.rejects(repository.files(MISSING, ""), absent);
    await assert.rejects(repository.lastChange(head, "skills/never"), absent);
    await assert.rejects(repository.adopt(MISSING), absent);
    await assert.rejects(repository.prepare(MISSING, { [SKILL]: "" }, "x"), absent);
    assert.deepEqual(await repository.files(head, "skills/never"), []);
    assert.equal(await repository.evidence(MISSING), null);
  });

  test("no locks, nothing to clear", async (t) => {
    const { repository } = await make(t);

    assert.deepEqual(await repository.clearStaleLocks(), []);
  });
}
