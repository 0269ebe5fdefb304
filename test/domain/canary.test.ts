import assert from "node:assert/strict";
import { test } from "node:test";
import { canaryOf, type CanaryFacts } from "../../src/domain/canary.ts";
import { isInEvenShare } from "../../src/domain/share.ts";
import type { Capabilities } from "../../src/domain/skill.ts";
import { aCase, aSkill } from "../support/shop.ts";

const SETTINGS = { share: 0.1, runs: 20, hours: 24 };
const HOUR = 3_600_000;

/** A release of a skill that fetches, whose version before does well but for a tenth of its runs. */
function facts(overrides: Partial<CanaryFacts> = {}): CanaryFacts {
  const before = [...Array.from({ length: 18 }, () => 1), 0, 0];
  return {
    skill: granted({ fetch: ["api.test"] }),
    mends: "wrong-value",
    before,
    runs: 0,
    ageMs: 0,
    ...overrides,
  };
}

function granted(capabilities: Capabilities): CanaryFacts["skill"] {
  const skill = aSkill({ cases: [aCase("one", 1)] });
  return { ...skill, manifest: { ...skill.manifest, capabilities } };
}

const shareFor = (overrides: Partial<CanaryFacts>): number =>
  canaryOf(facts(overrides), SETTINGS).share;

test("a release of a skill that reaches the world gets a share while the version before mostly works", () => {
  assert.equal(shareFor({}), 0.1);
});

for (const [what, capabilities, share] of [
  ["nothing", {}, 1],
  ["its log", { log: true }, 1],
  ["the clock", { clock: true }, 0.1],
  ["chance", { random: true }, 0.1],
  ["keys and values", { kv: true }, 0.1],
  ["other skills", { skills: ["area"] }, 0.1],
  ["no host at all", { fetch: [] }, 1],
] as const) {
  test(`a skill of exact cases that reaches ${what} gets ${share * 100} % at first`, () => {
    assert.equal(shareFor({ skill: granted(capabilities) }), share);
  });
}

test("a pure skill gets a share where a case asks for a reward, or where there is none", () => {
  const skill = granted({});
  const loose = aCase("two", 1, { expectation: { kind: "reward", atLeast: 1 } });

  assert.equal(shareFor({ skill: { ...skill, cases: [...skill.cases, loose] } }), 0.1);
  assert.equal(shareFor({ skill: { ...skill, cases: [] } }), 0.1);
});

test("no work is sent to a version that is known to fail: half of its runs since the incident, or that nobody asks", () => {
  assert.equal(shareFor({ before: [] }), 1);
  assert.equal(shareFor({ before: [0] }), 1);
  assert.equal(shareFor({ before: [1, 0] }), 1);
  assert.equal(shareFor({ before: [1, 1, 0] }), 0.1);
});

for (const mends of ["endpoint-gone", "schema-changed", "not-loaded", "missing-skill"] as const) {
  test(`no work is sent to a version whose world is gone: ${mends}`, () => {
    assert.equal(shareFor({ mends }), 1);
  });
}

test("a share grows to the whole after enough runs, or after a day", () => {
  assert.equal(shareFor({ runs: 19 }), 0.1);
  assert.equal(shareFor({ runs: 20 }), 1);
  assert.equal(shareFor({ ageMs: 23 * HOUR }), 0.1);
  assert.equal(shareFor({ ageMs: 24 * HOUR }), 1);
});

test("tasks spread over the share evenly, also where their names are numbered", () => {
  for (const name of ["task-", "nightly#", ""]) {
    const keys = Array.from({ length: 5_000 }, (_, at) => `0123456789abcdef ${name}${at}`);
    const inShare = keys.filter((key) => isInEvenShare(key, 0.1)).length;
    assert.ok(Math.abs(inShare - 500) < 100, `${inShare} of 5000 for ${name}`);
  }
});
