import assert from "node:assert/strict";
import { test } from "node:test";
import type { Edit } from "../../../src/domain/candidate.ts";
import { textTraitsOf } from "../../../src/proposers/search/naturalness.ts";

const SOURCE = `export function above(values, limit, most) {
  let count = 0;
  for (const value of values) {
    if (value > limit) count += 1;
  }
  return Math.min(count, 9);
}`;

test("a name that is no longer read is told, and one that now is", () => {
  const traits = textTraitsOf(SOURCE, replacing("limit)", "most)"));

  assert.deepEqual([traits.orphans, traits.adopts], [1, 1]);
});

test("what is only assigned to is not read, until it is", () => {
  const source = "function f(a) { let n = 0; let y = 1; for (const x of a) { y = x; } return n; }";
  const at = source.indexOf(" }");
  const adding = (text: string) =>
    textTraitsOf(source, [{ op: "splice", start: at, end: at, text }]);

  assert.equal(adding(" n += y;").adopts, 1);
  assert.equal(adding(" n++;").adopts, 0);
});

test("names of members and of what is built in are nobody's orphans", () => {
  const traits = textTraitsOf(SOURCE, replacing("Math.min(count, 9)", "count"));

  assert.deepEqual([traits.orphans, traits.adopts], [0, 0]);
});

test("comparing a value with itself, or asking a constant, is idle", () => {
  assert.equal(textTraitsOf(SOURCE, replacing("value > limit", "value > value")).idle, 1);
  assert.equal(textTraitsOf(SOURCE, replacing("value > limit", "true")).idle, 1);
  assert.equal(textTraitsOf(SOURCE, replacing("value > limit", "value >= limit")).idle, 0);
});

test("tokens that stand here already are more natural than strange ones", () => {
  const usual = textTraitsOf(SOURCE, replacing("Math.min(count, 9)", "count"));
  const strange = textTraitsOf(SOURCE, replacing("Math.min(count, 9)", "zebra ^ 4711"));

  assert.ok(usual.natural > strange.natural);
});

test("an edit that changes nothing has no trait", () => {
  assert.deepEqual(textTraitsOf(SOURCE, replacing("limit)", "limit)")), {
    natural: 0,
    orphans: 0,
    adopts: 0,
    idle: 0,
    cures: 0,
  });
});

function replacing(before: string, after: string): readonly Edit[] {
  const start = SOURCE.indexOf(before);
  return [{ op: "splice", start, end: start + before.length, text: after }];
}
