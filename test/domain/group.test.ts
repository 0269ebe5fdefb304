import assert from "node:assert/strict";
import { test } from "node:test";
import type { GateName, Verdict } from "../../src/domain/gate.ts";
import { choose, outcomesOf, type Attempt, type Group } from "../../src/domain/group.ts";
import { candidateOf, patchedAs } from "../support/shop.ts";

type Said = readonly [GateName, Verdict["status"]];

function attempt(id: string, said: readonly Said[], reward = 0): Attempt {
  const patched = patchedAs(id);
  const verdicts = said.map(([gate, status]) => ({
    gate,
    status,
    durationMs: 1,
    reason: `${gate} of ${id}`,
  }));
  const candidate = candidateOf(patched, { id });
  return { candidate, patched, verification: { candidateId: id, verdicts, reward } };
}

function groupOf(...attempts: readonly Attempt[]): Group {
  return { attempts, failures: [], tried: attempts.length, durationMs: 1 };
}

const PASSED = attempt("good", [["parse", "pass"]], 1);
const FAILED = attempt(
  "bad",
  [
    ["parse", "pass"],
    ["types", "fail"],
  ],
  0.5,
);
const WAITING = attempt(
  "unsure",
  [
    ["held-out", "needs-data"],
    ["acceptance", "pass"],
  ],
  1,
);
const BROKEN = attempt("broken", [["types", "infra-error"]], 0);

function sureOf(of: Attempt, confidence: number): Attempt {
  return { ...of, candidate: { ...of.candidate, confidence } };
}

test("the first that passed is released, whatever came before it", () => {
  const choice = choose(groupOf(FAILED, WAITING, PASSED, attempt("late", [["parse", "pass"]])));

  assert.equal(choice.status, "release");
  assert.equal(choice.attempt.candidate.id, "good");
});

test("one whose text raises a question is asked about last, and holds nothing back", () => {
  const suspect = attempt("suspect", [["policy", "needs-data"]], 1);
  const choice = choose(groupOf(suspect, WAITING));

  assert.ok(choice.status === "ask");
  assert.equal(choice.attempt.candidate.id, "unsure");
  assert.equal(choose(groupOf(suspect)).status, "ask");
  assert.equal(choose(groupOf(sureOf(suspect, 0.9), sureOf(PASSED, 0.3))).status, "release");
});

test("one that passed waits behind a surer rival that a person has to pass", () => {
  const surer = sureOf(WAITING, 0.8);
  const less = sureOf(PASSED, 0.3);

  assert.equal(choose(groupOf(surer, less)).status, "ask");
  assert.equal(choose(groupOf(sureOf(WAITING, 0.2), less)).status, "release");
  assert.equal(choose(groupOf(surer, PASSED)).status, "release");
});

test("else a person is asked about the first that lacks data", () => {
  const choice = choose(groupOf(FAILED, BROKEN, WAITING));

  assert.deepEqual(
    [choice.status, "reason" in choice && choice.reason],
    ["ask", "held-out: held-out of unsure"],
  );
});

test("else a gate that could not run keeps the incident open", () => {
  assert.deepEqual(choose(groupOf(FAILED, BROKEN)), {
    status: "infra-error",
    reason: "types: types of broken",
  });
});

test("no change says why: nobody proposed, or how many were refused and by what", () => {
  assert.deepEqual(choose(groupOf()), { status: "no-change", reason: "nobody had a proposal" });
  assert.deepEqual(choose(groupOf(FAILED, FAILED)), {
    status: "no-change",
    reason: "2 refused; the first by types: types of bad",
  });
});

test("a candidate that could not be made is never released", () => {
  const choice = choose(groupOf({ ...PASSED, patched: null }));

  assert.notEqual(choice.status, "release");
});

test("each candidate has its state, and its advantage where the group has spread", () => {
  const group = groupOf(FAILED, BROKEN, WAITING, PASSED);
  const choice = choose(group);

  const outcomes = outcomesOf(group, choice);

  const states = outcomes.map(({ state }) => state);
  assert.deepEqual(states, ["rejected", "infra-error", "spare", "spare"]);
  const advantages = outcomes.map(({ advantage }) => advantage ?? 0);
  assert.ok(Math.abs(advantages.reduce((sum, one) => sum + one, 0)) < 1e-9);
  assert.ok((advantages[3] ?? 0) > (advantages[0] ?? 0));
});

test("the one that a person is asked about waits", () => {
  const group = groupOf(FAILED, WAITING);

  const states = outcomesOf(group, choose(group)).map(({ state }) => state);

  assert.deepEqual(states, ["rejected", "waiting"]);
});

test("a group without spread teaches nothing", () => {
  const group = groupOf(PASSED, attempt("other", [["types", "fail"]], 1));

  const advantages = outcomesOf(group, choose(group)).map(({ advantage }) => advantage);

  assert.deepEqual(advantages, [null, null]);
});

test("a proposer that broke is named where nothing was found; what others found stands", () => {
  const bug = { proposer: "drift", reason: "x is undefined", bug: "TypeError: x" } as const;
  const down = { proposer: "search", reason: "the endpoint is down", bug: null } as const;
  const withFailures = (...failures: Group["failures"]): Group => ({
    ...groupOf(FAILED),
    failures,
  });

  const broke = choose(withFailures(bug));
  assert.ok(broke.status === "no-change" && broke.reason.startsWith("1 refused"));
  assert.match(broke.reason, /; the proposer drift broke, which is a bug of hone: x is undefined$/);
  assert.deepEqual(choose(withFailures(bug, down)), {
    status: "infra-error",
    reason: "the proposer search failed: the endpoint is down",
  });
  assert.equal(choose({ ...groupOf(FAILED, PASSED), failures: [bug, down] }).status, "release");
  assert.equal(choose({ ...groupOf(WAITING), failures: [bug, down] }).status, "ask");
});
