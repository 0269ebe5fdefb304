import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../src/domain/json.ts";
import { frameOf, lineThrough } from "../../src/domain/fitted.ts";
import { aCase } from "../support/shop.ts";

function texts(...values: readonly Json[]) {
  return values.map((value, at) => aCase(`case ${at}`, value));
}

function points(...pairs: readonly (readonly [number, number])[]) {
  return pairs.map(([x, y], at) => aCase(`case ${at}`, y, { args: [x] }));
}

test("what all answers begin and end with is their frame", () => {
  assert.deepEqual(frameOf(texts("<a>", "<bc>")), { before: "<", after: ">" });
  assert.deepEqual(frameOf(texts("A!", "!")), { before: "", after: "!" });
  assert.equal(frameOf(texts("a", "b")), null);
  assert.equal(frameOf(texts("aa", 1)), null);
  assert.deepEqual(frameOf(texts("aa", "aa")), { before: "aa", after: "" });
});

test("a line goes through three points at least", () => {
  assert.deepEqual(lineThrough(points([0, 32], [100, 212], [10, 50])), { factor: 1.8, offset: 32 });
  assert.equal(lineThrough(points([0, 32], [100, 212])), null);
  assert.equal(lineThrough(points([0, 0], [1, 1], [2, 4])), null);
  assert.equal(lineThrough([]), null);
});
