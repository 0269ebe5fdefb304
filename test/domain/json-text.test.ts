import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "../support/property.ts";
import { MOST_MEMBERS, unfitJson } from "../../src/domain/json-text.ts";
import { isTooDeep, MOST_DEPTH } from "../../src/domain/json.ts";

const DEEP = /^is nested deeper than 64 levels$/;
const LARGE = /^has more than 500000 lists, objects and members$/;

test("whatever is JSON of an ordinary kind is fit to be read, brackets in texts included", () => {
  fc.assert(fc.property(fc.json(), (text) => assert.equal(unfitJson(text), null)));
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (value) =>
      assert.equal(
        unfitJson(JSON.stringify({ [`[${value}"`]: `${"[".repeat(100)}${value}` })),
        null,
      ),
    ),
  );
});

test("levels are counted as whoever walks the value counts them, and eight may stand around it", () => {
  for (const levels of [1, 63, 64, 71, 72, 73, 74, 1_000]) {
    const text = `${'{"[[\\"":['.repeat(levels / 2)}${levels % 2 ? "[]" : ""}${"]}".repeat(levels / 2)}`;

    assert.equal(
      isTooDeep(JSON.parse(text), MOST_DEPTH + 8),
      unfitJson(text) !== null,
      `${levels}`,
    );
  }
});

test("megabytes of brackets, of empty objects and of names are not to be read", () => {
  const count = MOST_MEMBERS + 1;
  const names = Array.from({ length: count }, (_, at) => `"${at}":1`);

  assert.match(unfitJson("[".repeat(10_000_000)) ?? "", DEEP);
  assert.match(unfitJson(`[${"[".repeat(5_000_000)}${"]".repeat(5_000_000)}]`) ?? "", DEEP);
  assert.match(unfitJson(`[${"[],".repeat(count)}0]`) ?? "", LARGE);
  assert.match(unfitJson(`[${"{},".repeat(count)}0]`) ?? "", LARGE);
  assert.match(unfitJson(`{${names.join(",")}}`) ?? "", LARGE);
  assert.equal(unfitJson(`[${"1,".repeat(2_000_000)}0]`), null);
  assert.equal(unfitJson(`"${"[{:".repeat(2_000_000)}"`), null);
});

test("what is no JSON is looked at to its end and no further", () => {
  for (const text of ["", '"', '"\\', '"a\\"', "]]]]", "}{", '{"a', "\u0000"]) {
    assert.equal(unfitJson(text), null, text);
  }
});
