import assert from "node:assert/strict";
import test from "node:test";
import { localise, type Coverage } from "../../src/domain/localise.ts";
import type { Outcome } from "../../src/domain/trace.ts";

const places = [
  { start: 0, end: 40, line: 1 },
  { start: 10, end: 20, line: 2 },
  { start: 20, end: 30, line: 3 },
];

function ran(hits: number[], passed: boolean, outcome?: Outcome): Coverage {
  return { hits, passed, outcome: outcome ?? { status: "returned", value: null } };
}

function threwOn(line: number): Outcome {
  const frames = [{ function: "f", line, column: 1 }];
  return { status: "threw", error: { name: "TypeError", message: "no", frames } };
}

test("a place that only failing runs pass is the most suspicious", () => {
  const [first, second] = localise(places, [ran([0, 1], false), ran([0, 2], true)]);

  assert.equal(first?.line, 2);
  assert.equal(first?.score, 1);
  assert.equal(second?.line, 1);
  assert.ok(Math.abs((second?.score ?? 0) - Math.SQRT1_2) < 1e-12, "Ochiai of 1 in 2 runs");
});

test("a place that no failing run reached is in the answer, and innocent", () => {
  const found = localise(places, [ran([0, 1], false), ran([0, 2], true)]);

  assert.equal(found.length, 3);
  assert.deepEqual(found.at(-1), { ...places[2], score: 0 });
});

test("with no passing run all that ran is equally suspicious, the smaller and later first", () => {
  const found = localise(places, [ran([0, 1, 2], false), ran([0, 1, 2], false)]);

  assert.deepEqual(
    found.map(({ line, score }) => [line, score]),
    [
      [3, 1],
      [2, 1],
      [1, 1],
    ],
  );
});

test("the line on which a failing run threw is lifted over its equals", () => {
  const found = localise(places, [ran([0, 1, 2], false, threwOn(3)), ran([0, 1, 2], true)]);

  assert.equal(found[0]?.line, 3);
  assert.ok((found[0]?.score ?? 0) > (found[1]?.score ?? 0));
});
