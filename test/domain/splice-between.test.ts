import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "../support/property.ts";
import { spliceBetween } from "../../src/domain/splice-between.ts";

test("a splice makes one text of the other, and touches nothing that both begin or end with", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "b", "é", "\r\n") });

  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const { start, end, text } = spliceBetween(before, after);

      assert.equal(before.slice(0, start) + text + before.slice(end), after);
      if (text !== "" && end > start) assert.notEqual(text[0], before[start]);
    }),
  );
});

test("a splice never has half of a character", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "😀", "😁", "🐀", "\u{10fc00}") });

  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const { start, end, text } = spliceBetween(before, after);

      assert.equal(before.slice(0, start) + text + before.slice(end), after);
      assert.ok([text, before.slice(start, end), before.slice(0, start)].every(isWhole));
    }),
  );
});

function isWhole(text: string): boolean {
  return text.isWellFormed();
}
