import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommit } from "../../../src/adapters/git/commit-text.ts";

function aCommit(message: string, headers: readonly string[] = []): ReturnType<typeof parseCommit> {
  const text = [
    `tree ${"a".repeat(40)}`,
    `parent ${"b".repeat(40)}`,
    "author Ann Lee <ann@example.com> 1700000000 +0200",
    "committer hone <hone@localhost> 1700000100 +0000",
    ...headers,
    "",
    message,
  ].join("\n");
  return parseCommit({ id: "c".repeat(40), type: "commit", bytes: Buffer.from(text) });
}

test("a commit's headers are read, and its time is the committer's", () => {
  const commit = aCommit("subject\n");

  assert.equal(commit.tree, "a".repeat(40));
  assert.deepEqual(commit.parents, ["b".repeat(40)]);
  assert.equal(commit.author, "Ann Lee <ann@example.com>");
  assert.equal(commit.at, 1_700_000_100_000);
});

test("a signature is not taken for headers, nor a message for either", () => {
  const commit = aCommit(`subject\n\ntree ${"f".repeat(40)}\nparent x\n`, [
    "gpgsig -----BEGIN-----",
    ` parent ${"d".repeat(40)}`,
    " ",
    " -----END-----",
  ]);

  assert.deepEqual(commit.parents, ["b".repeat(40)]);
  assert.equal(commit.tree, "a".repeat(40));
  assert.equal(commit.subject, "subject");
});

test("trailers are the Hone lines of the last paragraph, folded lines joined", () => {
  const commit = aCommit(
    "subject\n\nHone-Early: no\n\nHone-Reward: 0.50 -> 1.00\nSigned-off-by: x\nHone-Model: a\n  b\n",
  );

  assert.deepEqual(commit.trailers, { "Hone-Reward": "0.50 -> 1.00", "Hone-Model": "a b" });
});

test("a subject that looks like a trailer is none", () => {
  const commit = aCommit("Hone-Reward: 1\n");

  assert.equal(commit.subject, "Hone-Reward: 1");
  assert.equal(commit.body, "");
  assert.deepEqual(commit.trailers, {});
});

test("a subject of several lines is one line, and an empty message none", () => {
  assert.equal(aCommit("one\ntwo\n\nthree\n\nfour\n").subject, "one two");
  assert.equal(aCommit("one\ntwo\n\nthree\n\nfour\n").body, "three\n\nfour");
  assert.equal(aCommit("").subject, "");
});
