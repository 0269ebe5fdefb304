import assert from "node:assert/strict";
import { test } from "node:test";
import type { Case } from "../../src/domain/case.ts";
import type { Outcome } from "../../src/domain/trace.ts";
import { reflect, type ReflectPorts } from "../../src/stages/3-reflect.ts";
import { aTrace } from "../support/ledger.ts";
import { aCase, aSkill, scripted, scriptedEditor, type Script } from "../support/shop.ts";

const CASES = [aCase("b", 2), aCase("c", 3)];
const skill = aSkill({ cases: CASES });
const PROGRAM = skill.program.text;
const FAILING = aCase("a", 1);
const asked = { incidentId: "incident-1", skill, failing: FAILING, tried: ["digest-0"] };

const sites = [
  { start: 0, end: 5, line: 1 },
  { start: 6, end: 9, line: 2 },
];

function portsOf(script: Script, overrides: Partial<ReflectPorts> = {}): ReflectPorts {
  const editor = scriptedEditor({
    instrument: async () => ({ program: skill.program, sites }),
  });
  const minimise: ReflectPorts["minimise"] = async (_skill, failing) => failing.case;
  return { ...scripted({ [PROGRAM]: script }, { hits: [1] }), editor, minimise, ...overrides };
}

const FAULTY: Script = (name) => ({ a: 7, b: 2, c: 3 })[name] ?? 0;

test("finds the class, the failing case first, all visible cases judged, and the places", async (t) => {
  const reflection = await reflect(asked, portsOf(FAULTY), t.signal);

  assert.equal(reflection.status, "diagnosed");
  const { diagnosis } = reflection;
  assert.equal(diagnosis.failureClass, "wrong-value");
  assert.equal(diagnosis.failing.case.name, "a");
  assert.deepEqual(
    diagnosis.judged.map(({ case: of, passed }) => [of.name, passed]),
    [
      ["a", false],
      ["b", true],
      ["c", true],
    ],
  );
  assert.equal(diagnosis.suspicions[0]?.line, 2);
  assert.deepEqual(diagnosis.tried, ["digest-0"]);
  assert.match(diagnosis.summary, /returned 7 \(expected 1, got 7\)/);
});

test("a case that passes when it is replayed is nothing to repair", async (t) => {
  const reflection = await reflect(
    asked,
    portsOf(() => 1),
    t.signal,
  );

  assert.deepEqual(reflection, { status: "not-reproduced" });
});

test("a smaller case that passes when it is asked again is nothing to build on", async (t) => {
  const smaller: Case = { ...FAILING, args: ["smaller"] };
  const script: Script = (name) => (name === "smaller" ? 1 : FAULTY(name, 0));

  const reflection = await reflect(
    asked,
    portsOf(script, { minimise: async () => smaller }),
    t.signal,
  );

  assert.deepEqual(reflection, { status: "not-reproduced" });
});

test("a world out of reach is no verdict about the skill", async (t) => {
  const outcome: Outcome = {
    status: "threw",
    error: { name: "TypeError", message: "fetch failed", frames: [] },
  };
  const refusal = { id: 1, status: "rejected", name: "TypeError", message: "refused" } as const;
  const requests = [{ id: 1, kind: "fetch", args: { url: "https://api.test/", method: "GET" } }];
  const steps = [{ requests, answers: [{ ...refusal, cause: "network" as const }], now: 1 }];
  const ports = portsOf(() => outcome);
  const sandbox: ReflectPorts["sandbox"] = {
    ...ports.sandbox,
    execute: async ({ calls }) =>
      calls.map(() => ({ trace: aTrace({ outcome, steps }), hits: [] })),
  };

  const reflection = await reflect(asked, { ...ports, sandbox }, t.signal);

  assert.equal(reflection.status, "infrastructure");
});

test("the minimised case replaces the visible one of the same name", async (t) => {
  const again = { ...asked, failing: aCase("b", 20) };

  const reflection = await reflect(again, portsOf(FAULTY), t.signal);

  assert.equal(reflection.status, "diagnosed");
  assert.deepEqual(
    reflection.diagnosis.judged.map(({ case: of }) => of.name),
    ["b", "c"],
  );
});
