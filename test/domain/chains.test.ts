import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../../src/domain/json.ts";
import { recurringIn } from "../../src/domain/recurring.ts";
import type { Run } from "../../src/domain/task.ts";
import type { Answer } from "../../src/domain/trace.ts";
import { aRun, aTrace } from "../support/ledger.ts";

type Call = readonly [skill: string, input: Json, value: Json | null];

/** A run that calls skills one after the other; null is no answer. */
function runOf(id: number, calls: readonly Call[], value: Json = "done"): Run {
  const steps = calls.map(([name, input, answered], at) => {
    const answer: Answer =
      answered === null
        ? { id: at, status: "rejected", name: "Error", message: "no", cause: "failed" }
        : { id: at, status: "resolved", value: answered };
    const request = { id: at, kind: "skills.call", args: { name, input } };
    return { requests: [request], answers: [answer], now: 1 };
  });
  const outcome = { status: "returned", value } as const;
  return aRun({ id: `run-${id}`, skill: "caller", trace: aTrace({ steps, outcome }) });
}

const looking = { known: ["a", "b", "c"], minimumRuns: 3 };

/** a gives a number, b is given it. */
function linked(id: number, text: string, n: number): Run {
  return runOf(id, [
    ["a", { text }, { n, unit: "m" }],
    ["b", { value: n, scale: 10 }, n * 10],
  ]);
}

test("calls with a value that flows from one to the next are found, with where it flows", () => {
  const found = recurringIn([linked(1, "x", 5), linked(2, "y", 6), linked(3, "z", 7)], looking);

  assert.equal(found.length, 1);
  const [chain] = found;
  assert.ok(chain?.kind === "chain");
  assert.equal(
    chain.body,
    'const step1 = await ctx.skills.call<{ n: unknown }>("a", { text });\n' +
      'return await ctx.skills.call("b", { value: step1["n"], scale: 10 });',
  );
  assert.deepEqual(chain.parameters, ["text"]);
  assert.deepEqual(chain.examples[0], {
    name: "as in run run-1",
    input: { text: "x" },
    expect: 50,
    capabilities: {
      skills: {
        a: [{ input: { text: "x" }, result: { n: 5, unit: "m" } }],
        b: [{ input: { value: 5, scale: 10 }, result: 50 }],
      },
    },
  });
});

test("too few runs, or a value that is always the same, are no flow", () => {
  assert.deepEqual(recurringIn([linked(1, "x", 5), linked(2, "y", 6)], looking), []);
  const same = [1, 2, 3].map((id) => linked(id, `text ${id}`, 5));
  assert.deepEqual(recurringIn(same, looking), []);
});

test("one run that makes the calls without the flow shows that it was chance", () => {
  const runs = [linked(1, "x", 5), linked(2, "y", 6), linked(3, "z", 7)];
  const other = runOf(4, [
    ["a", { text: "w" }, { n: 8, unit: "m" }],
    ["b", { value: 9, scale: 10 }, 90],
  ]);

  assert.deepEqual(recurringIn([...runs, other], looking), []);
});

test("steps whose answer does not follow from what they are given are not offered", () => {
  const runs = [linked(1, "x", 5), linked(2, "x", 6), linked(3, "z", 7)];

  assert.deepEqual(recurringIn(runs, looking), []);
});

test("a skill that is nothing but these steps is the one that would be proposed", () => {
  const runs = [5, 6, 7].map((n, id) =>
    runOf(
      id,
      [
        ["a", { text: `t${n}` }, { n }],
        ["b", { value: n }, n * 10],
      ],
      n * 10,
    ),
  );

  assert.deepEqual(recurringIn(runs, looking), []);
});

test("the longest sequence is told, not its parts", () => {
  const runs = [5, 6, 7].map((n, id) =>
    runOf(id, [
      ["a", { text: `t${n}` }, { n }],
      ["b", { value: n }, n * 10],
      ["c", { cents: n * 10 }, `${n * 10} c`],
    ]),
  );

  const found = recurringIn(runs, looking);

  assert.deepEqual(
    found.map(({ what }) => what),
    ["a, then b, then c"],
  );
});

test("calls of a skill that is not there are told with what was asked", () => {
  const runs = [1, 2, 3].map((n) => runOf(n, [["missing", { n: n % 2 }, null]]));

  const [found] = recurringIn(runs, looking);

  assert.deepEqual([found?.kind, found?.name, found?.runs], ["missing", "missing", 3]);
  assert.deepEqual(found?.examples, [{ input: { n: 1 } }, { input: { n: 0 } }]);
});

test("what a guest asked in no form that ctx makes is passed over", () => {
  const strange: readonly Json[] = [null, 1, "a", { name: 1, input: {} }, { name: "a", input: [] }];
  const runs = strange.map((args, id): Run => {
    const request = { id: 0, kind: "skills.call", args };
    const answer: Answer = { id: 0, status: "resolved", value: {} as JsonObject };
    const steps = [{ requests: [request], answers: [answer], now: 1 }];
    return aRun({ id: `run-${id}`, trace: aTrace({ steps }) });
  });

  assert.deepEqual(recurringIn(runs, { known: [], minimumRuns: 1 }), []);
});
