import assert from "node:assert/strict";
import test from "node:test";
import { patternOf } from "../../../../src/proposers/search/regexes/pattern.ts";

test("a pattern is read with the offsets of its parts, and what is none is null", () => {
  const [alternative] = patternOf("^a{2,3}$", "")?.tree.alternatives ?? [];

  assert.deepEqual(
    alternative?.elements.map(({ type, start, end }) => [type, start, end]),
    [
      ["Assertion", 0, 1],
      ["Quantifier", 1, 7],
      ["Assertion", 7, 8],
    ],
  );
  assert.equal(patternOf("(a", ""), null);
  assert.equal(patternOf("a**", ""), null);
});

test("flags decide what is a pattern, and have to be flags", () => {
  assert.notEqual(patternOf("\\p{L}", "u"), null);
  assert.equal(patternOf("\\p{Nope}", "u"), null);
  assert.equal(patternOf("a", "gg"), null);
  assert.equal(patternOf("a", "uv"), null);
  assert.equal(patternOf("a", "x"), null);
});
