import assert from "node:assert/strict";
import { test } from "node:test";
import { isReleasable, statusOf, type GateName, type Verdict } from "../../src/domain/gate.ts";
import type { Gate } from "../../src/ports/gate.ts";
import { verify } from "../../src/stages/6-verify.ts";
import {
  aCase,
  aDiagnosisOf,
  aSkill,
  candidateOf,
  judgedCase,
  patchedAs,
} from "../support/shop.ts";

const patched = patchedAs("better");
const attempt = {
  skill: aSkill(),
  patched,
  candidate: candidateOf(patched),
  diagnosis: aDiagnosisOf([judgedCase(aCase("a", 1), false)]),
};

function gatesThat(...answers: readonly (readonly [GateName, Verdict["status"], number?])[]): {
  readonly gates: readonly Gate[];
  readonly asked: GateName[];
} {
  const asked: GateName[] = [];
  const gates = answers.map(([name, status, score]): Gate => ({
    name,
    async check() {
      asked.push(name);
      const verdict = { gate: name, status, reason: `${name} says ${status}`, durationMs: 1 };
      return score === undefined ? verdict : { ...verdict, score };
    },
  }));
  return { gates, asked };
}

for (const status of ["fail", "infra-error"] as const) {
  test(`stops at the first gate that answers ${status}`, async (t) => {
    const { gates, asked } = gatesThat(["parse", "pass"], ["policy", status], ["types", "pass"]);

    const verification = await verify(attempt, { gates }, t.signal);

    assert.deepEqual(asked, ["parse", "policy"]);
    assert.equal(statusOf(verification), status);
    assert.equal(isReleasable(verification), false);
  });
}

test("goes on over a lack of data, and is not releasable then", async (t) => {
  const { gates, asked } = gatesThat(["held-out", "needs-data"], ["acceptance", "pass"]);

  const verification = await verify(attempt, { gates }, t.signal);

  assert.deepEqual(asked, ["held-out", "acceptance"]);
  assert.equal(statusOf(verification), "needs-data");
});

test("a failure after a lack of data is a failure", async (t) => {
  const { gates } = gatesThat(["held-out", "needs-data"], ["acceptance", "fail"]);

  assert.equal(statusOf(await verify(attempt, { gates }, t.signal)), "fail");
});

test("the reward is the last count of cases, and 0 where none was made", async (t) => {
  const counted = gatesThat(
    ["failing-case", "pass", 0.2],
    ["regression", "pass", 0.8],
    ["types", "pass"],
  );
  const none = gatesThat(["parse", "fail"]);

  assert.equal((await verify(attempt, counted, t.signal)).reward, 0.8);
  assert.equal((await verify(attempt, none, t.signal)).reward, 0);
});

test("no gates at all are no pass", async (t) => {
  assert.equal(isReleasable(await verify(attempt, { gates: [] }, t.signal)), false);
});
