import assert from "node:assert/strict";
import { test } from "node:test";
import { zodSchemaCheck } from "../../../src/adapters/zod/zod-schema-check.ts";

const SCHEMA = {
  type: "object",
  properties: {
    items: { type: "array", items: { type: "object", properties: { price: { type: "number" } } } },
  },
  required: ["items"],
  additionalProperties: false,
};

test("a valid value has no problems", () => {
  assert.deepEqual(zodSchemaCheck(SCHEMA, { items: [{ price: 1 }] }), []);
  assert.deepEqual(zodSchemaCheck({}, null), []);
});

test("every problem is a sentence with its place", () => {
  assert.deepEqual(zodSchemaCheck(SCHEMA, { items: [{ price: "1" }], more: 1 }), [
    "items.0.price: expected number, received string",
    'the input: Unrecognized key: "more"',
  ]);
});

test("a schema that cannot be read is a problem, not a crash", () => {
  assert.match(zodSchemaCheck({ if: {} }, 1)[0] ?? "", /^the schema cannot be checked: /);
});
