import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../../src/domain/trace.ts";
import { examineInBrief } from "../../src/examine/in-brief.ts";
import type { ExaminePorts } from "../../src/examine/examine.ts";
import { aTrace } from "../support/ledger.ts";
import { aCase, aSkill, scripted } from "../support/shop.ts";

const skill = aSkill({ cases: ["a", "b", "c", "d"].map((name) => aCase(name, 1)) });

/** A sandbox in which each case takes so long; what was asked of it, with the limit. */
function clockwork(takesMs: Readonly<Record<string, number>>): {
  readonly ports: ExaminePorts;
  readonly asked: (readonly [timeoutMs: number, cases: string])[];
} {
  const asked: (readonly [number, string])[] = [];
  const ports = { ...scripted({}), unrecorded: "closed" } as const;
  const sandbox: ExaminePorts["sandbox"] = {
    ...ports.sandbox,
    execute: async ({ calls, limits: { timeoutMs } }) => {
      asked.push([timeoutMs, calls.map(({ args }) => String(args[0])).join("")]);
      return calls.map(({ args }) => {
        const ms = takesMs[String(args[0])] ?? 1;
        const late: Outcome = { status: "timed-out", afterMs: timeoutMs };
        const outcome: Outcome = ms > timeoutMs ? late : { status: "returned", value: 1 };
        const usage = { wallMs: Math.min(ms, timeoutMs), cpuMs: 0, heapBytes: 0 };
        return { trace: aTrace({ outcome, usage }), hits: [Math.min(ms, timeoutMs)] };
      });
    },
  };
  return { ports: { ...ports, sandbox }, asked };
}

const limitMs = skill.manifest.limits.timeoutMs;

test("cases that end in a short time are asked once", async (t) => {
  const { ports, asked } = clockwork({});

  const { judged } = await examineInBrief({ skill, cases: skill.cases }, ports, t.signal);

  assert.equal(judged.length, 4);
  assert.deepEqual(
    asked.map(([, cases]) => cases),
    ["abcd"],
  );
});

test("of those that do not end, one gets all of the time, for all of them", async (t) => {
  const { ports, asked } = clockwork({ b: Infinity, d: Infinity });

  const { judged } = await examineInBrief({ skill, cases: skill.cases }, ports, t.signal);

  const statuses = judged.map(({ outcome }) => outcome.status);
  assert.deepEqual(statuses, ["returned", "timed-out", "returned", "timed-out"]);
  assert.deepEqual(
    asked.map(([, cases]) => cases),
    ["abcd", "b"],
  );
  assert.equal(asked[1]?.[0], limitMs);
});

test("where one is known to be endless, none gets it", async (t) => {
  const { ports, asked } = clockwork({ b: Infinity, d: Infinity });

  await examineInBrief({ skill, cases: skill.cases, isEndless: true }, ports, t.signal);

  assert.deepEqual(
    asked.map(([, cases]) => cases),
    ["abcd"],
  );
});

test("where the one that got all of the time ends, so may the others", async (t) => {
  const { ports, asked } = clockwork({ b: 2_000, c: 3_000, d: Infinity });

  const examined = await examineInBrief({ skill, cases: skill.cases }, ports, t.signal);

  const statuses = examined.judged.map(({ outcome }) => outcome.status);
  assert.deepEqual(statuses, ["returned", "returned", "returned", "timed-out"]);
  assert.deepEqual(
    asked.map(([, cases]) => cases),
    ["abcd", "b", "cd"],
  );
  assert.deepEqual(examined.hits, [[1], [2_000], [3_000], [limitMs]]);
});

test("what takes many times as long as the slowest of the others gets that time at least", async (t) => {
  const { ports, asked } = clockwork({ a: 100, b: 1_500, d: Infinity });

  const { judged } = await examineInBrief(
    { skill, cases: skill.cases, isEndless: true },
    ports,
    t.signal,
  );

  const statuses = judged.map(({ outcome }) => outcome.status);
  assert.deepEqual(statuses, ["returned", "returned", "returned", "timed-out"]);
  assert.deepEqual(asked.slice(1), [[2_000, "bd"]]);
});
