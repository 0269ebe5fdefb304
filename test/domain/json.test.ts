import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "../support/property.ts";
import { canonical, isJsonObject, isTooDeep, sameJson, type Json } from "../../src/domain/json.ts";

const json = fc.jsonValue();

test("the canonical text is JSON for the same value, and its own canonical text", () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = canonical(value);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
      assert.equal(canonical(JSON.parse(text) as Json), text);
    }),
  );
});

test("members may stand in any order", () => {
  fc.assert(fc.property(json, (value) => assert.equal(sameJson(value, reversed(value)), true)));
  assert.equal(canonical({ b: 1, a: { d: [], c: null } }), '{"a":{"c":null,"d":[]},"b":1}');
});

test("two values are the same exactly when their JSON is equal", () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      assert.equal(sameJson(a, a), true);
      assert.equal(sameJson(a, b), sameJson(b, a));
      assert.equal(sameJson(a, b), isDeepEqual(a, b));
    }),
    { numRuns: 500 },
  );
});

test("values that look alike are told apart", () => {
  const different: readonly Json[] = [
    1,
    "1",
    true,
    null,
    "null",
    0,
    false,
    "",
    [],
    {},
    [[]],
    [null],
    [1, 2],
    ["1,2"],
    { a: null },
    { "a,b": 1 },
    "a",
    "A",
    "é",
    "e\u0301",
    [0],
    { "0": 0 },
    { length: 0 },
  ];

  for (const [at, a] of different.entries()) {
    for (const b of different.slice(at + 1)) assert.equal(sameJson(a, b), false, canonical([a, b]));
  }
});

test("minus zero is zero, and absent is not null", () => {
  assert.equal(sameJson(-0, 0), true);
  assert.equal(canonical([-0]), "[0]");
  assert.equal(sameJson({ a: null }, {}), false);
  assert.equal(sameJson({ a: undefined } as unknown as Json, {}), true);
});

test("an object of members is neither a list nor null", () => {
  assert.equal(isJsonObject({}), true);
  for (const other of [null, [], "", 0, undefined]) assert.equal(isJsonObject(other), false);
});

test("64 levels of lists and objects are taken in, as by the isolate, and no more", () => {
  assert.equal(isTooDeep("text"), false);
  assert.equal(isTooDeep(nested(64)), false);
  assert.equal(isTooDeep(nested(65)), true);
  assert.equal(isTooDeep({ a: 1, b: [nested(62)] }), false);
  assert.equal(isTooDeep({ a: 1, b: [nested(63)] }), true);
});

function nested(levels: number): Json {
  return JSON.parse("[".repeat(levels) + "]".repeat(levels)) as Json;
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

function isDeepEqual(a: Json, b: Json): boolean {
  try {
    // Loses -0, which JSON does not have.
    assert.deepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
    return true;
  } catch {
    return false;
  }
}
