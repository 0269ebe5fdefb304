import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Case } from "../../src/domain/case.ts";
import type { Verdict } from "../../src/domain/gate.ts";
import type { Run } from "../../src/domain/task.ts";
import { acceptanceGate } from "../../src/gates/acceptance.ts";
import { differentialGate } from "../../src/gates/differential.ts";
import { failingCaseGate } from "../../src/gates/failing-case.ts";
import { heldOutGate, type HeldOutPorts } from "../../src/gates/held-out.ts";
import { regressionGate } from "../../src/gates/regression.ts";
import type { Gate, GateContext } from "../../src/ports/gate.ts";
import { aRun, aTrace } from "../support/ledger.ts";
import {
  aCase,
  aDiagnosisOf,
  aSkill,
  candidateOf,
  judgedCase,
  patchedAs,
  scripted,
  scriptedEditor,
  type Script,
  type Scripted,
} from "../support/shop.ts";

const skill = aSkill();
const OLD = skill.program.text;
const NEW = "better";
/** The incident's case fails on the parent; the other two pass. */
const CASES = [aCase("a", 1), aCase("b", 2), aCase("c", 3)];
const JUDGED = CASES.map((of, at) => judgedCase(of, at > 0));
const RIGHT: Script = (name) => ({ a: 1, b: 2, c: 3 })[name] ?? 0;

function context(overrides: Partial<GateContext> = {}): GateContext {
  const patched = patchedAs(NEW, { cases: CASES });
  return { skill, diagnosis: aDiagnosisOf(JUDGED), patched, ...overrides };
}

async function verdictOf(
  of: Gate,
  t: { readonly signal: AbortSignal },
  within: GateContext = context(),
): Promise<Verdict> {
  return await of.check(candidateOf(within.patched), within, t.signal);
}

suite("the gate failing-case", () => {
  const sites = [
    { start: 0, end: 3, line: 1 },
    { start: 40, end: 60, line: 9 },
  ];
  const editor = scriptedEditor({
    instrument: async ({ text }) => ({ program: { ...skill.program, text }, sites }),
  });
  const gateOn = (ports: Scripted): Gate => failingCaseGate({ ...ports, editor });

  test("passes where the case passes and the change ran on the way", async (t) => {
    const rule = { match: "GET https://api.test/v2", status: 200 };
    const ports = scripted({ [NEW]: RIGHT }, { hits: [0], recorded: [rule] });

    const verdict = await verdictOf(gateOn(ports), t);

    assert.equal(verdict.status, "pass");
    assert.equal(verdict.reason, "1 of 1 changed places ran");
    assert.deepEqual(verdict.recorded, [rule]);
  });

  test("refuses a candidate on which the case still fails", async (t) => {
    const verdict = await verdictOf(gateOn(scripted({ [NEW]: () => 7 })), t);

    assert.deepEqual([verdict.status, verdict.score], ["fail", 0]);
    assert.equal(verdict.reason, "expected 1, got 7");
  });

  test("refuses a candidate whose changed places did not run", async (t) => {
    const verdict = await verdictOf(gateOn(scripted({ [NEW]: RIGHT }, { hits: [1] })), t);

    assert.equal(verdict.status, "fail");
    assert.match(verdict.reason, /the changed lines did not run/);
  });

  test("refuses every candidate where the case passes already", async (t) => {
    const passing = aDiagnosisOf(CASES.map((of) => judgedCase(of, true)));
    const ports = scripted({});

    const verdict = await verdictOf(gateOn(ports), t, context({ diagnosis: passing }));

    assert.match(verdict.reason, /no improvement/);
    assert.deepEqual(ports.asked, []);
  });
});

suite("the gate regression", () => {
  test("passes with the share of cases that pass", async (t) => {
    const stillFailing: Script = (name) => (name === "a" ? 9 : RIGHT(name, 0));

    const all = await verdictOf(regressionGate(scripted({ [NEW]: RIGHT })), t);
    const most = await verdictOf(regressionGate(scripted({ [NEW]: stillFailing })), t);

    assert.deepEqual([all.status, all.score], ["pass", 1]);
    assert.deepEqual([most.status, most.score], ["pass", 2 / 3]);
  });

  test("refuses what loses a case, and asks for it once more, alone, before that counts (B28)", async (t) => {
    const ports = scripted({ [NEW]: (name) => (name === "b" ? 9 : RIGHT(name, 0)) });

    const verdict = await verdictOf(regressionGate(ports), t);

    assert.equal(verdict.status, "fail");
    assert.equal(verdict.reason, "b passed before, now: expected 2, got 9");
    assert.equal(ports.asked.filter((one) => one === `${NEW}: b`).length, 2);
  });

  test("decides nothing by a case that fails and then passes (B28)", async (t) => {
    const flaky: Script = (name, times) => (name === "b" && times === 0 ? 9 : RIGHT(name, 0));

    const verdict = await verdictOf(regressionGate(scripted({ [NEW]: flaky })), t);

    assert.deepEqual(
      [verdict.status, verdict.reason],
      ["needs-data", "b does not repeat: failed, then passed"],
    );
  });

  test("decides nothing by a case for which no recording is there", async (t) => {
    const lost: Script = (name) => (name === "c" ? 9 : RIGHT(name, 0));

    const verdict = await verdictOf(
      regressionGate(scripted({ [NEW]: lost }, { unrecorded: ["c"] })),
      t,
    );

    assert.equal(verdict.status, "needs-data");
    assert.match(verdict.reason, /1 cases need answers that are not recorded/);
  });

  test("a case that is lost outright weighs more than one without a recording", async (t) => {
    const lost: Script = (name) => (name === "a" ? 1 : 9);

    const verdict = await verdictOf(
      regressionGate(scripted({ [NEW]: lost }, { unrecorded: ["c"] })),
      t,
    );

    assert.equal(verdict.status, "fail");
  });
});

suite("the gate differential", () => {
  const nobody = (): readonly Run[] => [];

  test("refuses a candidate that answers differently when asked again", async (t) => {
    const counting: Script = (name, times) => (name === "b" ? times : RIGHT(name, 0));
    const ports = { ...scripted({ [NEW]: counting }), passingRuns: nobody };

    const verdict = await verdictOf(differentialGate(ports), t);

    assert.equal(verdict.status, "fail");
    assert.match(verdict.reason, /^repeated-call: b is answered differently on a repeated call/);
  });

  test("refuses a candidate that gives another value than a live run that scored well", async (t) => {
    const outcome = { status: "returned", value: 42 } as const;
    const good = aRun({ id: "run-9", input: { text: "live" }, trace: aTrace({ outcome }) });
    const other = aRun({ id: "run-8", input: { text: "c" } });
    const passingRuns = (): readonly Run[] => [
      good,
      { ...other, trace: aTrace({ outcome: { status: "returned", value: 3 } }) },
    ];

    const verdict = await verdictOf(
      differentialGate({ ...scripted({ [NEW]: RIGHT }), passingRuns }),
      t,
    );

    assert.deepEqual(
      [verdict.status, verdict.reason],
      ["fail", "recorded run run-9: expected 42, got 0"],
    );
  });

  test("passes a function that agrees with the records and with itself", async (t) => {
    const ports = { ...scripted({ [NEW]: RIGHT }), passingRuns: nobody };

    assert.equal((await verdictOf(differentialGate(ports), t)).status, "pass");
  });
});

suite("the gate held-out", () => {
  const HELD_OUT = [aCase("secret-1", 11), aCase("secret-2", 22)];
  const answers =
    (...right: readonly string[]): Script =>
    (name) =>
      right.includes(name) ? ({ "secret-1": 11, "secret-2": 22 }[name] ?? 0) : 0;

  function gateOn(
    ports: Scripted,
    overrides: Partial<HeldOutPorts> & { readonly cases?: readonly Case[] } = {},
  ): { readonly gate: Gate; readonly looks: () => number } {
    let looks = 0;
    const countLook = (): number => (looks += 1);
    const heldOut = { cases: async () => overrides.cases ?? HELD_OUT };
    const { cases: _, ...others } = overrides;
    const parts = { ...ports, heldOut, minimum: 2, countLook, ...others };
    return { gate: heldOutGate(parts), looks: () => looks };
  }

  test("waits for a person below the minimum, without having looked", async (t) => {
    const ports = scripted({});
    const { gate, looks } = gateOn(ports, { minimum: 3 });

    const verdict = await verdictOf(gate, t);

    assert.equal(verdict.status, "needs-data");
    assert.equal(verdict.reason, "2 held-out cases, 3 are the minimum");
    assert.deepEqual([ports.asked.length, looks()], [0, 0]);
  });

  test("refuses what loses a case, in counts alone, and counts its looks", async (t) => {
    const scripts = { [OLD]: answers("secret-1", "secret-2"), [NEW]: answers("secret-1") };
    const { gate } = gateOn(scripted(scripts));

    await verdictOf(gate, t);
    const verdict = await verdictOf(gate, t);

    assert.equal(verdict.status, "fail");
    assert.equal(verdict.reason, "1 that passed fail (1 of 2 pass, look 2)");
    assert.ok(!JSON.stringify(verdict).includes("secret"));
  });

  test("refuses what gains nothing while cases fail", async (t) => {
    const scripts = { [OLD]: answers("secret-1"), [NEW]: answers("secret-1") };

    const verdict = await verdictOf(gateOn(scripted(scripts)).gate, t);

    assert.deepEqual([verdict.status, verdict.reason], ["fail", "no gain (1 of 2 pass, look 1)"]);
  });

  test("passes what gains a case and loses none, or on which all pass", async (t) => {
    const gaining = { [OLD]: answers(), [NEW]: answers("secret-1") };
    const full = {
      [OLD]: answers("secret-1", "secret-2"),
      [NEW]: answers("secret-1", "secret-2"),
    };

    const some = await verdictOf(gateOn(scripted(gaining)).gate, t);
    const all = await verdictOf(gateOn(scripted(full)).gate, t);

    assert.deepEqual([some.status, all.status], ["pass", "pass"]);
    assert.deepEqual([some.unseenPassed, all.unseenPassed], [1, 2]);
  });

  test("says that no case speaks for a candidate where none is wanted and none could be asked", async (t) => {
    const unrecorded = scripted({}, { unrecorded: ["secret-1", "secret-2"] });
    const none = gateOn(scripted({}), { minimum: 0, cases: [] });

    for (const { gate } of [none, gateOn(unrecorded, { minimum: 0 })]) {
      const { status, unseenPassed } = await verdictOf(gate, t);
      assert.deepEqual([status, unseenPassed], ["pass", 0]);
    }
  });

  test("cases that cannot be asked for want of a recording count on neither side", async (t) => {
    const scripts = { [OLD]: answers("secret-1", "secret-2"), [NEW]: answers("secret-1") };
    const ports = scripted(scripts, { unrecorded: ["secret-2"] });

    const verdict = await verdictOf(gateOn(ports).gate, t);

    assert.equal(verdict.status, "needs-data");
    assert.match(verdict.reason, /too few can be asked \(1 of 1 pass/);
  });
});

suite("the gate acceptance", () => {
  test("passes a strict improvement that repeats", async (t) => {
    const verdict = await verdictOf(acceptanceGate(scripted({ [NEW]: RIGHT })), t);

    assert.deepEqual(
      [verdict.status, verdict.reason, verdict.score],
      ["pass", "2 of 3 cases passed, now 3", 1],
    );
  });

  test("refuses a tie", async (t) => {
    const tied: Script = (name) => (name === "a" ? 9 : RIGHT(name, 0));

    const verdict = await verdictOf(acceptanceGate(scripted({ [NEW]: tied })), t);

    assert.equal(verdict.status, "fail");
  });

  test("refuses one case won and another lost", async (t) => {
    const swapped: Script = (name) => (name === "c" ? 9 : RIGHT(name, 0));

    const verdict = await verdictOf(acceptanceGate(scripted({ [NEW]: swapped })), t);

    assert.equal(verdict.status, "fail");
  });

  test("refuses what does not repeat", async (t) => {
    const lucky: Script = (name, times) => (name === "a" && times > 0 ? 9 : RIGHT(name, 0));

    const verdict = await verdictOf(acceptanceGate(scripted({ [NEW]: lucky })), t);

    assert.deepEqual([verdict.status, verdict.reason], ["fail", "a does not repeat"]);
  });
});
