import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as holds, constantFrom, property } from "../../../support/property.ts";
import { disambiguations } from "../../../../src/proposers/search/regexes/disambiguations.ts";
import { hazardsOf } from "../../../../src/proposers/search/regexes/hazards.ts";
import { patternOf, type Pattern } from "../../../../src/proposers/search/regexes/pattern.ts";

function read(text: string): Pattern {
  return patternOf(text, "") ?? assert.fail(`${text} is no pattern`);
}

function clearer(text: string): readonly string[] {
  return [...disambiguations(read(text))].map((draft) => draft.text);
}

test("a repetition within a repetition is written so that there is one way to match", () => {
  assert.deepEqual(clearer("^(a+)+$"), ["^(a+)$"]);
  assert.deepEqual(clearer("^(?:[ab]*)*$"), ["^(?:[ab]*)$"]);
  assert.deepEqual(clearer("^(?:\\d+-?)*$"), ["^(?:\\d+-)*(?:\\d+-?)?$"]);
  assert.deepEqual(clearer("^(\\s*\\w+)+$"), ["^(\\s*\\w+)(?:\\s+\\w+)*$"]);
  assert.deepEqual(clearer("^(.*,)*x$"), ["^([^,]*,)*x$"]);
});

test("what has no such hazard is left alone", () => {
  for (const text of ["^a+$", "(ab)+", "^(?:\\d+-)*$", "(a|b)*"])
    assert.deepEqual(clearer(text), []);
});

test("the language is the same, and the hazard is gone", () => {
  const texts = ["^(a+)*$", "^(a*)+$", "^(a+b?)*$", "^(a+b*)+$", "^(b?a+)*$", "^(b*a+)+$"];
  const words = array(constantFrom("a", "b", "c"), { maxLength: 12 });
  holds(
    property(constantFrom(...texts), words, (text, letters) => {
      const word = letters.join("");
      for (const other of clearer(text)) {
        assert.equal(hazardsOf(read(other)), 0);
        assert.equal(new RegExp(other).test(word), new RegExp(text).test(word), `${other} ${word}`);
      }
    }),
  );
});
