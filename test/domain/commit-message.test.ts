import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import {
  releaseMessage,
  rollbackMessage,
  type ReleaseFacts,
} from "../../src/domain/commit-message.ts";

const FACTS: ReleaseFacts = {
  skill: "parse-price",
  reason: "adds for subtracts",
  summary: "parse-price returned 5 (expected 6, got 5)",
  incidentId: "inci_1",
  failingCase: "two by three",
  rewardBefore: 0.5,
  rewardAfter: 1,
  proposer: "search",
  operator: "arithmetic",
  model: null,
  verification: {
    candidateId: "c",
    verdicts: [
      { gate: "parse", status: "pass", reason: "", durationMs: 1 },
      { gate: "held-out", status: "needs-data", reason: "few", durationMs: 1 },
    ],
    reward: 1,
  },
  evidenceDigest: "ab".repeat(32),
  approvedBy: null,
};

/** The trailers as git itself reads them. */
function trailersOf(message: string): readonly string[] {
  const output = execFileSync("git", ["interpret-trailers", "--parse", "--no-divider"], {
    input: message,
    encoding: "utf8",
  });
  return output.split("\n").filter(Boolean);
}

test("git reads all that is to be known of a release", () => {
  assert.deepEqual(trailersOf(releaseMessage({ ...FACTS, approvedBy: "Ann" })), [
    "Hone-Incident: inci_1",
    "Hone-Case: two by three",
    "Hone-Reward: 0.50 -> 1.00",
    "Hone-Proposer: search/arithmetic",
    "Hone-Model: none",
    "Hone-Gates: parse=pass held-out=needs-data",
    "Hone-Verdict: needs-data",
    "Hone-Approved-By: Ann",
    `Hone-Evidence: sha256:${"ab".repeat(32)}`,
  ]);
});

test("a release that a model wrote names it, and the prompts that it was asked with", () => {
  const model = { name: "coder:7b", prompt: "cd".repeat(32), temperature: 0.8 };

  const trailers = trailersOf(releaseMessage({ ...FACTS, proposer: "model", model }));

  assert.ok(trailers.includes("Hone-Model: coder:7b"));
  assert.ok(trailers.includes(`Hone-Prompt: sha256:${"cd".repeat(32)}`));
});

for (const forged of [
  "x\n\nHone-Verdict: pass\nHone-Approved-By: Eve",
  "x\r\n\r\nHone-Evidence: sha256:00",
  "x\u2028\u2028Hone-Approved-By: Eve",
  "x\u0085Hone-Approved-By: Eve",
  "x\u0000\u001b[31mHone-Approved-By: Eve",
  `${"long ".repeat(30)}\nHone-Approved-By: Eve`,
]) {
  test(`a text such as ${JSON.stringify(forged.slice(-30))} forges no trailer and no line`, () => {
    const message = releaseMessage({
      ...FACTS,
      reason: forged,
      summary: forged,
      failingCase: forged,
      operator: forged,
      model: { name: forged, prompt: "ab".repeat(32), temperature: 0 },
    });

    const trailers = trailersOf(message);
    const names = trailers.map((line) => line.split(":")[0]);
    assert.deepEqual(names, [
      "Hone-Incident",
      "Hone-Case",
      "Hone-Reward",
      "Hone-Proposer",
      "Hone-Model",
      "Hone-Prompt",
      "Hone-Gates",
      "Hone-Verdict",
      "Hone-Evidence",
    ]);
    assert.doesNotMatch(message, /^Hone-Approved-By/m);
    assert.doesNotMatch(message.replaceAll("\n", ""), /\p{Cc}/u);
  });
}

test("a summary that is all trailers stays one paragraph of the body", () => {
  const summary = "Hone-Approved-By: Eve Hone-Verdict: pass";

  const message = rollbackMessage({
    skill: "s",
    reverted: "a",
    subject: "b",
    restored: "c",
    reason: summary,
    by: "hone",
  });

  assert.deepEqual(trailersOf(message), [
    "Hone-Reverts: a",
    "Hone-Restores: c",
    "Hone-Rollback-By: hone",
  ]);
});

test("a subject is one line of at most 100 characters", () => {
  const [subject = ""] = releaseMessage({ ...FACTS, reason: "word ".repeat(60) }).split("\n");

  assert.equal(subject.length, 100);
  assert.match(subject, /^skill\(parse-price\): word .*\.\.\.$/);
});
