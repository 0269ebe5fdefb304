import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../src/domain/json.ts";
import { evidenceOf, type Evidence } from "../../../src/proposers/search/evidence.ts";
import { aCase } from "../../support/proposing.ts";
import { judgedCase } from "../../support/shop.ts";

const SEARCH = { first: 7, promise: 0.2 };

test("cases are counted, and those of them that fail", () => {
  const judged = [
    judgedCase(aCase("a", [1], 1), false),
    judgedCase(aCase("b", [2], 2), true),
    judgedCase(aCase("c", [3], 3), true),
  ];

  const { visible, failing, first, promise } = evidenceOf(judged, SEARCH);

  assert.deepEqual([visible, failing, first, promise], [3, 1, 7, 0.2]);
});

test("a long text tells more than a number, and a number more than yes or no", () => {
  const [yes, number, text] = [true, 40, "a whole sentence"].map((one) => bitsOf(one));

  assert.ok((yes ?? 0) < (number ?? 0) && (number ?? 0) < (text ?? 0));
  assert.ok(bitsOf([1, 2, 3]) > bitsOf([1]));
  assert.ok(bitsOf({ a: "text" }) > bitsOf({}));
});

test("what passes tells nothing here, and what is expected twice tells little more", () => {
  const once = bitsOf("some text");

  assert.equal(evidence([["some text", true]]).bits, 0);
  assert.equal(bitsOf("some text", "some text"), once + 1);
});

function bitsOf(...expected: readonly Json[]): number {
  return evidence(expected.map((value) => [value, false])).bits;
}

function evidence(of: readonly (readonly [Json, boolean])[]): Evidence {
  const judged = of.map(([value, passed], at) => judgedCase(aCase(`${at}`, [at], value), passed));
  return evidenceOf(judged, SEARCH);
}
