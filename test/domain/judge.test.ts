import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { classify, describe, judge, signatureOf } from "../../src/domain/judge.ts";
import type { Outcome } from "../../src/domain/trace.ts";
import { aFetchTrace, aTrace } from "../support/ledger.ts";

suite("judge", () => {
  test("a value is held against the expected one as JSON", () => {
    const expectation = { kind: "value", value: { a: 1, b: [2] } } as const;

    assert.deepEqual(judge({ status: "returned", value: { b: [2], a: 1 } }, expectation), {
      passed: true,
      reason: "the expected value",
    });
    const wrong = judge({ status: "returned", value: { a: 1, b: ["2"] } }, expectation);
    assert.equal(wrong.passed, false);
    assert.match(wrong.reason, /expected \{"a":1,"b":\[2\]\}, got \{"a":1,"b":\["2"\]\}/);
  });

  test("no outcome but a returned value is an expected value", () => {
    const expectation = { kind: "value", value: null } as const;

    for (const outcome of OUTCOMES.filter(({ status }) => status !== "returned")) {
      assert.equal(judge(outcome, expectation).passed, false, outcome.status);
    }
  });

  test("a throw is expected by a part of its message, and only a throw", () => {
    const expectation = { kind: "throws", message: "no price" } as const;

    assert.equal(judge(threw("Error", "there is no price here"), expectation).passed, true);
    assert.equal(judge(threw("Error", "No price"), expectation).passed, false);
    const error = { name: "Error", message: "no price", frames: [] };
    assert.equal(judge({ status: "unhandled-rejection", error }, expectation).passed, false);
    assert.equal(judge({ status: "not-loaded", error }, expectation).passed, false);
    assert.equal(judge({ status: "returned", value: "no price" }, expectation).passed, false);
  });

  test("every outcome is described in one short clause", () => {
    for (const outcome of OUTCOMES) {
      const clause = describe(outcome);
      assert.ok(clause.length > 5 && clause.length < 250, clause);
    }
    assert.ok(describe({ status: "returned", value: "x".repeat(9_999) }).length < 200);
  });
});

suite("classify", () => {
  for (const [status, failureClass] of [
    [404, "endpoint-gone"],
    [410, "endpoint-gone"],
    [301, "endpoint-gone"],
    [308, "endpoint-gone"],
    [429, "rate-limited"],
    [200, "schema-changed"],
  ] as const) {
    test(`an answer ${status} is ${failureClass}, whether the skill threw or returned`, () => {
      assert.equal(classify(aFetchTrace({ status }, threw("Error", "x")), null), failureClass);
      assert.equal(classify(aFetchTrace({ status }), { kind: "value", value: 1 }), failureClass);
    });
  }

  test("without the world, the outcome and what was expected decide", () => {
    const value = { kind: "value", value: 1 } as const;
    const returned = aTrace();

    assert.equal(classify(returned, value), "wrong-value");
    assert.equal(classify(returned, { kind: "throws", message: "x" }), "did-not-throw");
    assert.equal(classify(returned, { kind: "reward", atLeast: 1 }), "low-reward");
    assert.equal(classify(returned, null), "low-reward");
    assert.equal(classify(aTrace({ outcome: threw("Error", "x") }), value), "threw");
  });

  test("an outcome that is none is its own class, whatever the world answered", () => {
    for (const [outcome, failureClass] of [
      [{ status: "timed-out", afterMs: 1 }, "timed-out"],
      [{ status: "never-settled" }, "timed-out"],
      [{ status: "out-of-memory" }, "out-of-memory"],
      [{ status: "crashed", reason: "x" }, "crashed"],
      [{ status: "bad-result", path: "result", reason: "x" }, "bad-result"],
    ] as const) {
      assert.equal(classify(aFetchTrace({ status: 404 }, outcome), null), failureClass);
    }
  });
});

suite("signatureOf", () => {
  const of = (outcome: Outcome): string => signatureOf("a-skill", "threw", outcome);

  test("the data in a message does not count", () => {
    const one = threw("TypeError", 'no member "a" in item 12 of https://a.test/x?y=1');
    const other = threw("TypeError", "no member 'bc' in item 7 of http://b.test/");

    assert.equal(of(one), of(other));
  });

  test("the kind of error, its message, the place, the class and the skill count", () => {
    const plain = threw("TypeError", "no member");
    const others = [
      of(threw("RangeError", "no member")),
      of(threw("TypeError", "no number")),
      of(threw("TypeError", "no member", "readPage")),
      signatureOf("a-skill", "schema-changed", plain),
      signatureOf("b-skill", "threw", plain),
    ];

    assert.equal(new Set([of(plain), ...others]).size, others.length + 1);
  });

  test("wrong values of one skill are one incident, and a long message is cut", () => {
    const wrong = (value: number): string =>
      signatureOf("a-skill", "wrong-value", { status: "returned", value });

    assert.equal(wrong(1), wrong(2));
    assert.ok(of(threw("Error", "x".repeat(9_999))).length < 200);
  });
});

const ERROR = { name: "Error", message: "broken", frames: [] };

const OUTCOMES: readonly Outcome[] = [
  { status: "returned", value: null },
  { status: "threw", error: ERROR },
  { status: "bad-result", path: "result.a", reason: "a function" },
  { status: "timed-out", afterMs: 100 },
  { status: "never-settled" },
  { status: "out-of-memory" },
  { status: "not-loaded", error: ERROR },
  { status: "unhandled-rejection", error: ERROR },
  { status: "crashed", reason: "SIGSEGV" },
];

function threw(name: string, message: string, place?: string): Outcome {
  const frames = place === undefined ? [] : [{ function: place, line: 1, column: 1 }];
  return { status: "threw", error: { name, message, frames } };
}
