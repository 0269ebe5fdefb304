import assert from "node:assert/strict";
import { test } from "node:test";
import { wilson } from "../../src/domain/interval.ts";

function rounded(mean: number, scored: number): readonly [number, number] | null {
  const found = wilson(mean, scored);
  return found === null ? null : [Number(found.low.toFixed(4)), Number(found.high.toFixed(4))];
}

test("the interval is that of the literature", () => {
  // 15 of 148 and 0 of 20: Newcombe 1998, table I, method 3 (score, without continuity correction).
  assert.deepEqual(rounded(15 / 148, 148), [0.0624, 0.1605]);
  assert.deepEqual(rounded(0, 20), [0, 0.1611]);
  assert.deepEqual(rounded(81 / 263, 263), [0.2553, 0.3662]);
});

test("a mean of all stays within [0,1], and of nothing there is no interval", () => {
  assert.deepEqual(rounded(1, 20), [0.8389, 1]);
  assert.equal(wilson(null, 0), null);
  assert.equal(wilson(0.5, 0), null);
});
