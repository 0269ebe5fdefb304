import assert from "node:assert/strict";
import test from "node:test";
import { runInThisContext } from "node:vm";
import * as fc from "../../../support/property.ts";
import type { PatternRow } from "../../../../src/ports/editor.ts";
import { holeTexts, patternChanges } from "../../../../src/proposers/search/regexes/learn.ts";
import { neighboursOf } from "../../../../src/proposers/search/regexes/neighbours.ts";
import { patternOf } from "../../../../src/proposers/search/regexes/pattern.ts";

const SAMPLES = [
  "^[a-z]+$",
  "^(\\+?12)?(3|4)\\d{7}$",
  "a|bc|d*?",
  "^([0-9a-f]{2}:){3}[0-9a-f]{2}$",
  "(?<year>\\d{4})-(?:0[1-9]|1[0-2])",
  "^(?!0)[^\\s,-]+(?=x)\\/[\\]^\\\\-]$",
  "\\bfoo\\b.\\.\\s\\S",
  "([a-c])\\1",
];

/** The changes for some rows, whose holes are filled by patterns of our own. */
function changesFor(text: string, flags: string, rows: readonly PatternRow[]): readonly string[] {
  const captures = holeTexts({ text, flags }).map((hole) =>
    rows.map((row) => new RegExp(hole.text, hole.flags).exec(row.text)?.groups?.["hone_"] ?? null),
  );
  return patternChanges({ text, flags, rows, captures })
    .toSorted((a, b) => b.weight - a.weight)
    .map((one) => one.text);
}

const missed = (text: string): PatternRow => ({ text, wants: true, matches: false });
const wrong = (text: string): PatternRow => ({ text, wants: false, matches: true });
const right = (text: string): PatternRow => ({ text, wants: true, matches: true });

test("every change of a pattern is a pattern, and fits between the slashes of a literal", () => {
  for (const text of SAMPLES) {
    const pattern = patternOf(text, "");
    assert.ok(pattern !== null);
    const variants = neighboursOf(pattern);
    assert.ok(variants.length > 5);
    for (const variant of variants) {
      const literal = `/${variant.text}/${variant.flags}`;
      const made = runInThisContext(literal) as RegExp;
      assert.equal(made.source, variant.text, literal);
    }
  }
});

test("rows of any characters give patterns only, and no greater hazard", () => {
  const row = fc.record({
    text: fc.string({ unit: "grapheme", maxLength: 12 }),
    wants: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.constantFrom(...SAMPLES), fc.array(row, { maxLength: 5 }), (text, some) => {
      const rows = some.map((one) => ({ ...one, matches: new RegExp(text).test(one.text) }));
      for (const change of changesFor(text, "", rows)) {
        assert.notEqual(patternOf(change, ""), null, change);
        const made = runInThisContext(`/${change}/`) as RegExp;
        assert.equal(made.source, change);
      }
    }),
    { numRuns: 60 },
  );
});

test("a class takes in what was refused, the whole of its kind as well", () => {
  const changes = changesFor("^[a-z]+$", "", [missed("ab7"), right("ab")]);

  assert.ok(changes.includes("^[0-9a-z]+$"));
  assert.ok(changes.includes("^[7a-z]+$"));
});

test("a class that stands in several places is widened in all of them", () => {
  const changes = changesFor("^[0-9a-f]{2}:[0-9a-f]{2}$", "", [missed("AB:CD"), right("ab:01")]);

  assert.ok(changes.includes("^[A-F0-9a-f]{2}:[A-F0-9a-f]{2}$"));
});

test("bounds take in the lengths that were seen", () => {
  assert.ok(changesFor("^\\d{3}$", "", [missed("12345"), right("123")]).includes("^\\d{3,5}$"));
  const fewer = changesFor("^[a-z]{2,9}$", "", [wrong("abcdefgh"), right("abcd")]);
  assert.ok(fewer.includes("^[a-z]{2,7}$"));
  assert.ok(fewer.includes("^[a-z]{2,4}$"));
});

test("another alternative is general, not the text of a row", () => {
  const changes = changesFor("^(?:ab|cd)$", "", [missed("some-text"), right("ab")]);

  assert.ok(changes.some((change) => change.includes("[a-z]{4}-[a-z]{4}")));
  assert.ok(!changes.some((change) => change.includes("some-text")));
});

test("what only the wrong texts have in common is ruled out in front", () => {
  const rows = [wrong("a--b"), wrong("c--d"), right("a-b")];

  assert.ok(changesFor("^[a-z-]+$", "", rows).includes("^(?!.*--)[a-z-]+$"));
});

test("a repetition of a repetition is not made, where both could match the same", () => {
  const changes = changesFor("^(?:[a-z]+-)+$", "", [missed("ab"), right("ab-")]);

  assert.ok(changes.length > 0);
  assert.ok(!changes.includes("^(?:[a-z]+-?)+$"));
});
