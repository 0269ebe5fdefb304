import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../src/domain/json.ts";
import { closeness } from "../../../src/proposers/search/closeness.ts";

test("the expected value is 1, and nothing else is", () => {
  assert.equal(toWanted([1, "a"], [1, "a"]), 1);
  for (const given of [[1, "b"], [1], [], "1,a", null, { 0: 1, 1: "a" }]) {
    assert.ok(toWanted([1, "a"], given) < 1);
  }
});

test("half of it is nearer than none of it", () => {
  assert.ok(toWanted("abcd", "abxd") > toWanted("abcd", "xyzw"));
  assert.ok(toWanted([1, 2, 3], [1, 2]) > toWanted([1, 2, 3], [7]));
  assert.ok(toWanted({ a: 1, b: 2 }, { a: 1 }) > toWanted({ a: 1, b: 2 }, { c: 1 }));
  assert.ok(toWanted(10, 11) > toWanted(10, 90));
});

test("a value of the right kind is nearer than one of another, and both than a fault", () => {
  const expectation = { kind: "value", value: 5 } as const;

  assert.ok(toWanted(5, 60_000) > toWanted(5, "5"));
  assert.ok(toWanted(5, "5") > closeness({ status: "never-settled" }, { expectation }));
});

test("an error with another message is nearer to a throw than a value is", () => {
  const of = { expectation: { kind: "throws", message: "no such day" } } as const;
  const thrown = (message: string): number =>
    closeness({ status: "threw", error: { name: "Error", message, frames: [] } }, of);

  assert.equal(thrown("there is no such day"), 1);
  assert.ok(thrown("other") > closeness({ status: "returned", value: 1 }, of));
});

function toWanted(value: Json, given: Json): number {
  return closeness({ status: "returned", value: given }, { expectation: { kind: "value", value } });
}
