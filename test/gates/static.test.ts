import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Verdict } from "../../src/domain/gate.ts";
import { HoneError } from "../../src/domain/errors.ts";
import { approvalGate } from "../../src/gates/approval.ts";
import { cascade } from "../../src/gates/cascade.ts";
import { parseGate } from "../../src/gates/parse.ts";
import { policyGate } from "../../src/gates/policy.ts";
import { typesGate } from "../../src/gates/types.ts";
import { gate, PASSED } from "../../src/gates/verdict.ts";
import type { TypeFinding } from "../../src/ports/editor.ts";
import type { Gate, GateContext } from "../../src/ports/gate.ts";
import {
  aCase,
  aDiagnosisOf,
  aSkill,
  candidateOf,
  judgedCase,
  patchedAs,
  scripted,
  scriptedEditor,
} from "../support/shop.ts";

const now = (): number => 0;
const skill = aSkill();
const diagnosis = aDiagnosisOf([judgedCase(aCase("a", 1), false)]);

function context(overrides: Partial<GateContext> = {}): GateContext {
  return { skill, diagnosis, patched: patchedAs("better"), ...overrides };
}

async function verdictOf(
  of: Gate,
  with_: GateContext,
  t: { signal: AbortSignal },
): Promise<Verdict> {
  return await of.check(candidateOf(with_.patched), with_, t.signal);
}

suite("the gate parse", () => {
  test("refuses the source it was made from", async (t) => {
    const { status, reason } = await verdictOf(parseGate({ now }), context({ patched: skill }), t);

    assert.deepEqual([status, reason], ["fail", "byte for byte the source it was made from"]);
  });

  test("refuses what differs in blanks and comments only", async (t) => {
    const patched = { ...patchedAs("with a comment"), digest: skill.digest };

    const { reason } = await verdictOf(parseGate({ now }), context({ patched }), t);

    assert.equal(reason, "only blanks and comments differ");
  });

  test("refuses what was refused before for this failure", async (t) => {
    const patched = patchedAs("better");
    const tried = { ...diagnosis, tried: ["another", patched.digest] };

    const { status } = await verdictOf(parseGate({ now }), context({ diagnosis: tried }), t);

    assert.equal(status, "fail");
  });

  test("passes another program", async (t) => {
    assert.equal((await verdictOf(parseGate({ now }), context(), t)).status, "pass");
  });
});

suite("the gate policy", () => {
  test("refuses a candidate that touches another file of the skill", async (t) => {
    const better = patchedAs("better");
    const patched = { ...better, files: { ...better.files, "cases.jsonl": "" } };
    const editor = scriptedEditor({});

    const { status, reason } = await verdictOf(
      policyGate({ editor, now }),
      context({ patched }),
      t,
    );

    assert.deepEqual([status, reason], ["fail", "touches skills/parse-price/cases.jsonl"]);
  });

  test("names every finding, and shows the editor the visible values only", async (t) => {
    const seen: unknown[] = [];
    const editor = scriptedEditor({
      policyFindings: async (_before, _after, { values }) => {
        seen.push(values);
        return [
          { line: 2, message: "eval" },
          { line: 5, message: "globalThis" },
        ];
      },
    });
    const known = { ...skill, cases: [aCase("a", 7)] };

    const { reason } = await verdictOf(policyGate({ editor, now }), context({ skill: known }), t);

    assert.equal(reason, "line 2: eval; line 5: globalThis");
    assert.deepEqual(seen.flat(3), ["a", 7]);
  });
});

suite("the gate types", () => {
  test("refuses new type errors and passes where there are none", async (t) => {
    const answers = [[{ line: 3, message: "no number" }], []];
    const editor = scriptedEditor({ newTypeErrors: async () => answers.shift() ?? [] });

    const first = await verdictOf(typesGate({ editor, now }), context(), t);
    const second = await verdictOf(typesGate({ editor, now }), context(), t);

    assert.deepEqual([first.status, first.reason], ["fail", "line 3: no number"]);
    assert.equal(second.status, "pass");
  });
});

suite("the gate types and what cases need", () => {
  const number = { type: "number" };
  const wider = { anyOf: [number, { type: "null" }] };
  const changed = { parameter: null, was: number, is: wider };
  const error = { line: 1, message: "the type of the result", changed };
  const wanting = (value: number | null): GateContext => {
    const expectation = { kind: "value", value } as const;
    const cases = skill.cases.map((one) => ({ ...one, expectation }));
    const judged = diagnosis.failing;
    const failing = { ...judged, case: { ...judged.case, expectation } };
    return context({ skill: { ...skill, cases }, diagnosis: { ...diagnosis, failing } });
  };
  const statusOf = async (
    errors: readonly TypeFinding[],
    given: GateContext,
    t: { signal: AbortSignal },
  ): Promise<string> => {
    const editor = scriptedEditor({ newTypeErrors: async () => errors });
    return (await verdictOf(typesGate({ editor, now }), given, t)).status;
  };

  test("a person decides on a type that cases do not fit", async (t) => {
    assert.equal(await statusOf([error], wanting(null), t), "needs-data");
  });

  test("no case needs it, or something else is wrong too: refused", async (t) => {
    assert.equal(await statusOf([error], wanting(3), t), "fail");
    const other = { line: 2, message: "no number" };
    assert.equal(await statusOf([error, other], wanting(null), t), "fail");
  });
});

suite("the gate approval", () => {
  /** What the gate held-out said before, of so many cases that pass. */
  const heldOut = (unseenPassed: number): Verdict => {
    return { gate: "held-out", status: "pass", reason: "", durationMs: 0, unseenPassed };
  };
  /** A gate as it is asked where two held-out cases passed before, unless told otherwise. */
  const afterHeldOut = (of: Gate): Gate => ({
    name: of.name,
    check: (candidate, given, signal) =>
      of.check(candidate, { earlier: [heldOut(2)], ...given }, signal),
  });
  const held = afterHeldOut(approvalGate({ now }));

  test("asks for the first change after a person took one back", async (t) => {
    const of = afterHeldOut(approvalGate({ now, takenBackBy: async () => "ada" }));

    const { status, reason } = await verdictOf(of, context(), t);

    assert.deepEqual(
      [status, reason],
      ["needs-data", "ada took back the last release of this skill"],
    );
  });

  test("asks a person about every release of a protected skill", async (t) => {
    const manifest = { ...skill.manifest, review: "always" } as const;
    const known = { ...skill, manifest };
    const patched = patchedAs("better", { manifest });

    const verdict = await verdictOf(approvalGate({ now }), context({ skill: known, patched }), t);

    assert.equal(verdict.status, "needs-data");
    assert.match(verdict.reason, /protected/);
  });

  for (const [what, changed] of [
    ["the output schema", { outputSchema: { type: "string" } }],
    ["the input schema", { inputSchema: {} }],
    ["the function's name", { signature: { ...skill.signature, name: "other" } }],
  ] as const) {
    test(`asks a person where ${what} changes`, async (t) => {
      const patched = patchedAs("better", changed);

      const verdict = await verdictOf(held, context({ patched }), t);

      assert.deepEqual(
        [verdict.status, verdict.reason],
        ["needs-data", "the exported contract changes"],
      );
    });
  }

  test("asks a person where the capabilities change", async (t) => {
    const manifest = { ...skill.manifest, capabilities: { fetch: ["evil.test"] } };

    const verdict = await verdictOf(
      held,
      context({ patched: patchedAs("better", { manifest }) }),
      t,
    );

    assert.deepEqual(
      [verdict.status, verdict.reason],
      ["needs-data", "the capabilities change: +fetch evil.test"],
    );
  });

  test("asks for a case where a repair is unsure, and names an input that would decide", async (t) => {
    const rival = {
      operator: "number",
      reason: "changes a number on line 1",
      confidence: 0.08,
      differsOn: { input: '"a"', chosen: "1", rival: "2" },
    };
    const patched = patchedAs("better");
    const unsure = candidateOf(patched, { confidence: 0.09, rivals: [rival] });
    const alone = candidateOf(patched, { confidence: 0.09, rivals: [] });

    const verdict = await approvalGate({ now }).check(unsure, context({ patched }), t.signal);
    const open = await approvalGate({ now }).check(alone, context({ patched }), t.signal);

    assert.equal(verdict.status, "needs-data");
    assert.equal(
      verdict.reason,
      '9 % sure: a case for the input ("a") would decide; this repair gives 1 there, another gives 2 (changes a number on line 1)',
    );
    assert.equal(open.status, "needs-data");
    assert.match(open.reason, /^9 % sure: the cases leave too much open/);
  });

  test("is content with less where held-out cases were asked before", async (t) => {
    const patched = patchedAs("better");
    const unsure = candidateOf(patched, { confidence: 0.15, rivals: [] });
    const statusBy = async (...earlier: Verdict[]): Promise<string> => {
      const told = { ...context({ patched }), earlier };
      return (await held.check(unsure, told, t.signal)).status;
    };

    assert.equal(await statusBy(), "needs-data");
    assert.equal(await statusBy(heldOut(1)), "pass");
  });

  test("a held-out set in which nothing was asked, or nothing passes, is no ground", async (t) => {
    const patched = patchedAs("better");
    const bare = candidateOf(patched);
    const verdictAfter = async (...earlier: Verdict[]): Promise<Verdict> =>
      await held.check(bare, { ...context({ patched }), earlier }, t.signal);

    assert.equal((await verdictAfter(heldOut(2))).status, "pass");
    const { unseenPassed: _, ...untold } = heldOut(1);
    for (const before of [heldOut(0), untold, { ...heldOut(3), status: "needs-data" } as const]) {
      const { status, reason } = await verdictAfter(before);
      assert.deepEqual(
        [status, /nothing but the visible cases/.test(reason)],
        ["needs-data", true],
      );
    }
  });

  test("says how sure a repair is that waits for want of held-out cases, and over what it was chosen", async (t) => {
    const rival = {
      operator: "number",
      reason: "changes a number on line 1",
      confidence: 0.3,
      differsOn: { input: '"a"', chosen: "1", rival: "2" },
    };
    const patched = patchedAs("better");
    const wanting = { ...heldOut(0), status: "needs-data" } as const;
    const told = { ...context({ patched }), earlier: [wanting] };
    const verdictFor = async (confidence: number, rivals: (typeof rival)[]) =>
      await held.check(candidateOf(patched, { confidence, rivals }), told, t.signal);

    const rivalled = await verdictFor(0.6, [rival]);
    const alone = await verdictFor(0.6, []);
    const certain = await verdictFor(1, []);

    assert.deepEqual([rivalled.status, rivalled.isUnsure], ["needs-data", false]);
    assert.match(rivalled.reason, /^60 % sure: a case for the input \("a"\) would decide/);
    assert.equal(alone.reason, "60 % sure");
    assert.equal(certain.status, "pass");
  });

  test("asks nobody about a repair that is sure, whatever its rivals", async (t) => {
    const patched = patchedAs("better");
    const sure = candidateOf(patched, { confidence: 0.97, rivals: [] });

    const verdict = await approvalGate({ now }).check(sure, context({ patched }), t.signal);

    assert.equal(verdict.status, "pass");
  });

  test("asks nobody about an ordinary change that held-out cases judge", async (t) => {
    assert.equal((await verdictOf(held, context(), t)).status, "pass");
  });

  test("asks a person where nothing but the visible cases speaks for a candidate", async (t) => {
    const patched = patchedAs("better");
    const origin = { proposer: "offered", operator: "by heart", seed: 1, parent: null } as const;
    const verdictFor = async (overrides: Parameters<typeof candidateOf>[1]) =>
      await approvalGate({ now }).check(
        candidateOf(patched, { origin, ...overrides }),
        context({ patched }),
        t.signal,
      );

    const bare = await verdictFor({});
    const weighed = await verdictFor({ confidence: 0.9 });
    const served = await verdictFor({ origin: { ...origin, proposer: "revert" } });
    const shown = await verdictFor({ origin: { ...origin, proposer: "drift" } });

    assert.equal(bare.status, "needs-data");
    assert.match(bare.reason, /^nothing but the visible cases speaks for it/);
    assert.deepEqual([weighed.status, served.status, shown.status], ["pass", "pass", "pass"]);
  });
});

suite("the frame of a gate", () => {
  test("names and times what the check found", async (t) => {
    const clock = [10, 35];
    const framed = gate(
      "types",
      () => clock.shift() ?? 0,
      async () => PASSED,
    );

    const verdict = await verdictOf(framed, context(), t);

    assert.deepEqual(verdict, { gate: "types", status: "pass", reason: "", durationMs: 25 });
  });

  test("makes a broken world an infra-error, never a pass and never a refusal", async (t) => {
    const rejecting = gate("types", now, async () => {
      throw new HoneError("editor-failed", "the editor is gone");
    });

    const verdict = await verdictOf(rejecting, context(), t);

    assert.deepEqual(
      [verdict.status, verdict.reason],
      ["infra-error", "editor-failed: the editor is gone"],
    );
  });

  test("lets a bug and an abort through", async (t) => {
    const buggy = gate("types", now, async () => {
      throw new TypeError("x is undefined");
    });
    const aborted = AbortSignal.abort(new Error("enough"));
    const gone = gate("types", now, async () => {
      throw new HoneError("busy", "closing");
    });

    await assert.rejects(verdictOf(buggy, context(), t), TypeError);
    await assert.rejects(
      gone.check(candidateOf(patchedAs("better")), context(), aborted),
      /enough/,
    );
  });
});

test("the cascade goes from cheap to dear, and has no held-out gate where nothing is held out", () => {
  const ports = { ...scripted({}), editor: scriptedEditor({}) };

  const names = cascade(ports, null).map(({ name }) => name);

  assert.deepEqual(names, [
    "parse",
    "policy",
    "types",
    "failing-case",
    "regression",
    "differential",
    "conduct",
    "acceptance",
    "approval",
  ]);
});
