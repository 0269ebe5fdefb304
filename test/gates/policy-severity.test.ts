import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Verdict } from "../../src/domain/gate.ts";
import { waitsFor } from "../../src/domain/gate.ts";
import { policyGate } from "../../src/gates/policy.ts";
import { gate, PASSED } from "../../src/gates/verdict.ts";
import type { PolicyFinding, Shown } from "../../src/ports/editor.ts";
import { verify } from "../../src/stages/6-verify.ts";
import {
  aCase,
  aDiagnosisOf,
  aSkill,
  candidateOf,
  judgedCase,
  patchedAs,
  scriptedEditor,
} from "../support/shop.ts";

const now = (): number => 0;
const skill = aSkill();
const failing = judgedCase(aCase("a", 1), false);
const patched = patchedAs("better");

async function verdictsOn(
  findings: readonly PolicyFinding[],
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly Verdict[]> {
  const editor = scriptedEditor({ policyFindings: async () => findings });
  const gates = [policyGate({ editor, now }), gate("held-out", now, async () => PASSED)];
  const context = { skill, patched, diagnosis: aDiagnosisOf([failing]) };
  const of = { candidate: candidateOf(patched), ...context };
  return (await verify(of, { gates }, signal)).verdicts;
}

suite("what the policy only asks about", () => {
  const asks = { line: 3, message: "special-cased input: a default", severity: "ask" } as const;

  test("goes on through the other gates, and waits with detector and line", async (t) => {
    const verdicts = await verdictsOn([asks], t);

    assert.deepEqual(
      verdicts.map((one) => [one.gate, one.status]),
      [
        ["policy", "needs-data"],
        ["held-out", "pass"],
      ],
    );
    const waits = waitsFor({ candidateId: "c", verdicts, reward: 1 });
    assert.equal(waits, "line 3: special-cased input: a default");
  });

  test("does not save what it refuses", async (t) => {
    const verdicts = await verdictsOn([asks, { line: 5, message: "eval" }], t);

    assert.deepEqual(
      verdicts.map(({ status, reason }) => [status, reason]),
      [["fail", "line 3: special-cased input: a default; line 5: eval"]],
    );
  });
});

test("the editor hears what the faulty version throws where a case wants something else", async (t) => {
  const heard: Shown["thrown"][] = [];
  const editor = scriptedEditor({
    policyFindings: async (_before, _after, { thrown }) => {
      heard.push(thrown);
      return [];
    },
  });
  const error = {
    name: "RangeError",
    message: "negative",
    frames: [{ function: "f", line: 3, column: 9 }],
  };
  const outcome = { status: "threw", error } as const;
  const judged = [
    { ...failing, outcome },
    { ...failing, outcome, passed: true },
    judgedCase(aCase("b", 2), false),
  ];

  await policyGate({ editor, now }).check(
    candidateOf(patched),
    { skill, patched, diagnosis: aDiagnosisOf(judged) },
    t.signal,
  );

  assert.deepEqual(heard, [[{ name: "RangeError", message: "negative", line: 3 }]]);
});
