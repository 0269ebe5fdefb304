import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { zodSchemaCheck } from "../../src/adapters/zod/zod-schema-check.ts";
import type { Json, JsonObject } from "../../src/domain/json.ts";
import type { RewardAnswer } from "../../src/domain/reward-function.ts";
import type { RewardContext } from "../../src/domain/reward.ts";
import type { Outcome, Step, Trace } from "../../src/domain/trace.ts";
import { builtInRewards } from "../../rewards/built-in/registry.ts";
import { aFetchTrace, aTrace } from "../support/ledger.ts";

const builtIn = builtInRewards(zodSchemaCheck);

const THREW: Outcome = {
  status: "threw",
  error: { name: "RangeError", message: "no price in this text", frames: [] },
};

suite("code", () => {
  test("a run that returned is right where nothing is expected; one that threw is wrong", () => {
    assert.equal(scoreOf("code", aTrace()), 1);
    assert.equal(scoreOf("code", aTrace({ outcome: THREW })), 0);
  });

  test("what is expected decides, whatever happened", () => {
    assert.equal(scoreOf("code", aTrace(), { asExpected: false }), 0);
    assert.equal(scoreOf("code", aTrace({ outcome: THREW }), { asExpected: true }), 1);
  });

  test("an error that it may throw is a right answer, but not to a known question", () => {
    const options = { mayThrow: ["no price"] };

    assert.equal(scoreOf("code", aTrace({ outcome: THREW }), { with: options }), 1);
    assert.equal(scoreOf("code", aTrace({ outcome: THREW }), { with: { mayThrow: ["?"] } }), 0);
    assert.equal(
      scoreOf("code", aTrace({ outcome: THREW }), { with: options, asExpected: false }),
      0,
    );
  });

  test("time and memory beyond their limits lower the score in proportion", () => {
    const usage = { wallMs: 20, cpuMs: 1, heapBytes: 4 * 1_048_576 };

    assert.deepEqual(answerOf("code", aTrace({ usage }), { with: { timeMs: 10, memoryMb: 4 } }), {
      score: 2.5 / 3,
      components: { outcome: 1, time: 0.5, memory: 1 },
    });
  });

  test("a wrong answer is not worth its speed", () => {
    const options = { timeMs: 1_000 };

    assert.equal(scoreOf("code", aTrace(), { with: options, asExpected: false }), 0);
  });
});

suite("api", () => {
  test("an accepted status with sound JSON is 1", () => {
    assert.deepEqual(answerOf("api", aFetchTrace({ status: 200 })), {
      score: 1,
      components: { status: 1, payload: 1 },
    });
  });

  test("a status that is not accepted counts, even where the skill returned", () => {
    assert.equal(scoreOf("api", aFetchTrace({ status: 404 })), 0);
    assert.equal(scoreOf("api", aFetchTrace({ status: 404 }), { with: { status: [404] } }), 1);
    assert.equal(scoreOf("api", aFetchTrace({ status: 200 }), { with: { status: [204] } }), 0);
  });

  test("a body that calls itself JSON must be JSON", () => {
    const components = answerOf("api", aFetchTrace({ status: 200, body: "<html>" }))?.components;

    assert.deepEqual(components, { status: 1, payload: 0 });
  });

  test("the payload has the paths that are asked for", () => {
    const trace = aFetchTrace({ status: 200, body: '{"items":[{"id":1}],"next":null}' });

    assert.equal(scoreOf("api", trace, { with: { payload: ["items.0.id", "next"] } }), 1);
    assert.equal(scoreOf("api", trace, { with: { payload: ["items.1.id"] } }), 0.5);
  });

  test("latency is the run's clock from asking to answering", () => {
    const trace = aFetchTrace({ status: 200, latencyMs: 400 });

    assert.equal(answerOf("api", trace, { with: { latencyMs: 400 } })?.components["latency"], 1);
    assert.equal(answerOf("api", trace, { with: { latencyMs: 100 } })?.components["latency"], 0.25);
  });

  test("a retry that worked is no fault", () => {
    const [first] = aFetchTrace({ status: 429 }).steps as [Step];
    const [second] = aFetchTrace({ status: 200 }).steps as [Step];
    const retried = {
      requests: second.requests.map((request) => ({ ...request, id: 2 })),
      answers: second.answers.map((answer) => ({ ...answer, id: 2 })),
      now: 9_000,
    };

    assert.equal(scoreOf("api", aTrace({ steps: [first, retried] })), 1);
    assert.equal(scoreOf("api", aTrace({ steps: [first] })), 0);
  });

  test("a request that was denied or failed is not accepted", () => {
    const [step] = aFetchTrace({ status: 200 }).steps as [Step];
    const answers = [
      { id: 1, status: "rejected", name: "Error", message: "no", cause: "denied" } as const,
    ];

    assert.equal(scoreOf("api", aTrace({ steps: [{ ...step, answers }] })), 0);
  });

  test("a run that failed is 0, and one that asked nobody is unscored", () => {
    assert.equal(scoreOf("api", aFetchTrace({ status: 200 }, THREW)), 0);
    assert.equal(scoreOf("api", aFetchTrace({ status: 200 }, THREW), { asExpected: true }), 1);
    assert.equal(answerOf("api", aTrace()), null);
  });
});

suite("data", () => {
  const rows = [
    { id: 1, name: "a", amount: 0.1 },
    { id: 2, name: "b", amount: 0.2 },
  ];
  const outputSchema = {
    type: "array",
    items: {
      type: "object",
      properties: { id: { type: "integer" }, name: { type: "string" }, amount: { type: "number" } },
      required: ["id"],
    },
  };

  test("a value that is valid by the output schema is 1, another 0", () => {
    assert.equal(dataScore(rows, {}), 1);
    assert.equal(dataScore([{ id: "1" }], {}), 0);
  });

  test("keys are unique, columns full, sums right", () => {
    const whole = { unique: ["id"], required: ["name"], sums: { amount: 0.3 } };

    assert.equal(dataScore(rows, whole), 1);
    assert.equal(integrity([...rows, { id: 1, name: "c", amount: 0 }], { unique: ["id"] }), 2 / 3);
    assert.equal(integrity([...rows, { id: 3, name: null }], { required: ["name"] }), 2 / 3);
    assert.equal(integrity(rows, { sums: { amount: 0.4 } }), 0);
    assert.equal(integrity([{ amount: "0.3" }], { sums: { amount: 0.3 } }), 0);
  });

  test("a sum may stand in the value itself", () => {
    const value = { rows, total: 0.3 };

    assert.equal(integrity(value, { records: "rows", sums: { amount: "total" } }), 1);
    assert.equal(
      integrity({ ...value, total: null }, { records: "rows", sums: { amount: "total" } }),
      0,
    );
  });

  test("the number of records has bounds", () => {
    assert.equal(count(rows, { atLeast: 2, atMost: 2 }), 1);
    assert.equal(count(rows, { atLeast: 3 }), 0);
    assert.equal(count(rows, { atMost: 1 }), 0);
  });

  test("records that are not there have no integrity and no count", () => {
    const options = { records: "rows", unique: ["id"], count: { atLeast: 0 } };

    assert.deepEqual(
      answerOf("data", returned({ rows: null }), { with: options, outputSchema: {} }),
      {
        score: 1 / 3,
        components: { schema: 1, integrity: 0, count: 0 },
      },
    );
  });

  test("a run that returned nothing is 0, unless it threw as expected", () => {
    assert.equal(scoreOf("data", aTrace({ outcome: THREW }), { outputSchema }), 0);
    assert.equal(answerOf("data", aTrace({ outcome: THREW }), { asExpected: true }), null);
  });

  function dataScore(value: Json, options: JsonObject): number | undefined {
    return scoreOf("data", returned(value), { with: options, outputSchema });
  }

  function integrity(value: Json, options: JsonObject): number | undefined {
    return answerOf("data", returned(value), { with: options })?.components["integrity"];
  }

  function count(value: Json, bounds: JsonObject): number | undefined {
    return answerOf("data", returned(value), { with: { count: bounds } })?.components["count"];
  }
});

suite("goal", () => {
  const value = { items: [{ price: 12.5, "a.b": 1 }], title: "Héllo 2030-01-02", none: null };

  for (const [predicate, holds] of [
    [{ path: "items.0.price", op: "eq", value: 12.5 }, 1],
    [{ path: "items.0.price", op: "eq", value: "12.5" }, 0],
    [{ path: "items.0.price", op: "ne", value: 12.5 }, 0],
    [{ path: "nowhere", op: "ne", value: 12.5 }, 1],
    [{ path: "items.0.price", op: "gt", value: 12 }, 1],
    [{ path: "items.0.price", op: "gt", value: 12.5 }, 0],
    [{ path: "items.0.price", op: "gte", value: 12.5 }, 1],
    [{ path: "items.0.price", op: "lt", value: 12.5 }, 0],
    [{ path: "items.0.price", op: "lte", value: 12.5 }, 1],
    [{ path: "items.0.price", op: "gt", value: "1" }, 0],
    [{ path: "title", op: "gte", value: "H" }, 1],
    [{ path: "items.length", op: "eq", value: 1 }, 1],
    [{ path: ["items", 0, "a.b"], op: "eq", value: 1 }, 1],
    [{ path: "title", op: "contains", value: "2030" }, 1],
    [{ path: "items", op: "contains", value: { "a.b": 1, price: 12.5 } }, 1],
    [{ path: "items", op: "contains", value: 12.5 }, 0],
    [{ path: "title", op: "matches", value: "^H\\p{L}+ \\d{4}-\\d\\d-\\d\\d$" }, 1],
    [{ path: "title", op: "matches", value: "^ello" }, 0],
    [{ path: "none", op: "exists" }, 1],
    [{ path: "nowhere", op: "exists" }, 0],
    [{ path: "nowhere", op: "exists", value: false }, 1],
    [{ path: "toString", op: "exists" }, 0],
    [{ op: "exists" }, 1],
    [{ on: "kv", path: "seen", op: "eq", value: [1, 2] }, 1],
  ] as const) {
    test(`${JSON.stringify(predicate)} is ${holds}`, () => {
      const options = { all: [predicate as unknown as Json] };

      const score = scoreOf("goal", returned(value), { with: options, kv: { seen: [1, 2] } });

      assert.equal(score, holds);
    });
  }

  test("the score is the share of predicates that hold, each a component", () => {
    const all = [
      { path: "title", op: "exists" },
      { path: "price", op: "exists" },
    ];

    assert.deepEqual(answerOf("goal", returned(value), { with: { all } }), {
      score: 0.5,
      components: { "1: result title exists": 1, "2: result price exists": 0 },
    });
  });

  test("a run that threw has no result, but its state counts", () => {
    const all = [
      { path: "", op: "exists" },
      { on: "kv", path: "done", op: "eq", value: true },
    ];
    const context = { with: { all }, kv: { done: true } };

    assert.equal(scoreOf("goal", aTrace({ outcome: THREW }), context), 0.5);
  });
});

function answerOf(use: string, trace: Trace, overrides: Partial<RewardContext> = {}): RewardAnswer {
  const reward = builtIn(use);
  assert.ok(reward);
  const value = trace.outcome.status === "returned" ? trace.outcome.value : null;
  return reward(trace, {
    input: {},
    outputSchema: {},
    asExpected: null,
    kv: {},
    with: {},
    value,
    ...overrides,
  });
}

function scoreOf(
  use: string,
  trace: Trace,
  overrides: Partial<RewardContext> = {},
): number | undefined {
  return answerOf(use, trace, overrides)?.score;
}

function returned(value: Json): Trace {
  return aTrace({ outcome: { status: "returned", value } });
}
