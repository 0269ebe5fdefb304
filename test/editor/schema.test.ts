import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../../src/domain/json.ts";
import { inspect } from "../../src/editor/inspect.ts";
import { ts } from "../support/sources.ts";

function inputOf(type: string, declarations = ""): JsonObject {
  const inspection = inspect(
    ts(`${declarations}\nexport function f(a: ${type}): null { return null; }`),
  );
  assert.ok(inspection.status === "sound", JSON.stringify(inspection));
  return inspection.signature.parameters[0]?.schema ?? {};
}

function outputOf(type: string, declarations = ""): JsonObject {
  const text = `${declarations}\nexport function f(a: ${type}): ${type} { return a; }`;
  const inspection = inspect(ts(text));
  assert.ok(inspection.status === "sound", JSON.stringify(inspection));
  return inspection.outputSchema;
}

test("simple types, literals and unions", () => {
  const table: Readonly<Record<string, JsonObject>> = {
    string: { type: "string" },
    number: { type: "number" },
    boolean: { type: "boolean" },
    null: { type: "null" },
    unknown: {},
    any: {},
    object: { type: "object" },
    "{}": { type: "object" },
    '"a"': { type: "string", enum: ["a"] },
    '"a" | "b"': { type: "string", enum: ["a", "b"] },
    "1 | 2": { type: "number", enum: [1, 2] },
    true: { type: "boolean", enum: [true] },
    "string | number": { anyOf: [{ type: "string" }, { type: "number" }] },
    "boolean | null": { anyOf: [{ type: "boolean" }, { type: "null" }] },
    "`v${number}`": { type: "string" },
    "string & { readonly brand: 1 }": { type: "string" },
  };
  for (const [type, schema] of Object.entries(table)) assert.deepEqual(inputOf(type), schema, type);
});

test("arrays, tuples and records", () => {
  assert.deepEqual(inputOf("string[]"), { type: "array", items: { type: "string" } });
  assert.deepEqual(inputOf("readonly unknown[]"), { type: "array", items: {} });
  assert.deepEqual(inputOf("[number, string?]"), {
    type: "array",
    prefixItems: [{ type: "number" }, { type: "string" }],
    minItems: 1,
    maxItems: 2,
  });
  assert.deepEqual(inputOf("[number, ...string[]]"), {
    type: "array",
    prefixItems: [{ type: "number" }],
    items: { type: "string" },
    minItems: 1,
  });
  assert.deepEqual(inputOf("Record<string, number[]>"), {
    type: "object",
    additionalProperties: { type: "array", items: { type: "number" } },
  });
});

test("objects are closed, say what they require, and carry doc comments", () => {
  const type = "{\n/** In grams. */\nweight: number; tags?: string[]; note: string | undefined }";

  assert.deepEqual(inputOf(type), {
    type: "object",
    properties: {
      weight: { type: "number", description: "In grams." },
      tags: { type: "array", items: { type: "string" } },
      note: { type: "string" },
    },
    required: ["weight"],
    additionalProperties: false,
  });
});

test("what may be undefined may be absent from a result", () => {
  assert.deepEqual(outputOf("{ a: unknown; b?: number | null }"), {
    type: "object",
    properties: { a: {}, b: { anyOf: [{ type: "null" }, { type: "number" }] } },
    additionalProperties: false,
  });
  assert.deepEqual(outputOf("string | undefined"), {
    anyOf: [{ type: "null" }, { type: "string" }],
  });
});

test("recursive types refer to their own definition", () => {
  const tree = "type Tree = { value: number; children: Tree[] };";

  assert.deepEqual(inputOf("Tree", tree), {
    $ref: "#/$defs/Tree",
    $defs: {
      Tree: {
        type: "object",
        properties: {
          value: { type: "number" },
          children: { type: "array", items: { $ref: "#/$defs/Tree" } },
        },
        required: ["value", "children"],
        additionalProperties: false,
      },
    },
  });
  const json = "type Json = null | boolean | number | string | Json[] | { [key: string]: Json };";
  assert.ok("$defs" in inputOf("Json", json));
});

test("types that grow without end are cut off", () => {
  inputOf("Deep<string>", "type Deep<T> = { value: T; next?: Deep<T[]> };");
});

test("a promise stands for what it resolves with, an inferred type for a written one", () => {
  const promised = inspect(
    ts("export async function f(a: number): Promise<string> { return `${a}`; }"),
  );
  const inferred = inspect(ts("export const f = async (a: number) => ({ a, list: [a] });"));

  assert.deepEqual(promised.status === "sound" && promised.outputSchema, { type: "string" });
  assert.deepEqual(inferred.status === "sound" && inferred.outputSchema, {
    type: "object",
    properties: { a: { type: "number" }, list: { type: "array", items: { type: "number" } } },
    required: ["a", "list"],
    additionalProperties: false,
  });
});

test("the input is an object of the parameters' names", () => {
  const text = `/**
 * Adds up.
 * @param a the first
 */
export function f(a: number, b = 2, c?: "x"): number { return a + b; }`;

  const inspection = inspect(ts(text));

  assert.deepEqual(inspection.status === "sound" && inspection.inputSchema, {
    type: "object",
    properties: {
      a: { type: "number", description: "the first" },
      b: { type: "number" },
      c: { type: "string", enum: ["x"] },
    },
    required: ["a"],
    additionalProperties: false,
    description: "Adds up.",
  });
});

test("what JSON cannot carry is named with its path", () => {
  const table: Readonly<Record<string, RegExp>> = {
    Date: /^a is a Date/,
    "Set<string>": /^a is a Set/,
    "{ at: { when: Date }[] }": /^a\.at\[\]\.when is a Date/,
    "() => void": /^a is a function/,
    bigint: /^a is a bigint/,
    symbol: /^a is a symbol/,
    Uint8Array: /^a is a Uint8Array/,
    URL: /^a is a URL/,
  };
  for (const [type, pattern] of Object.entries(table)) {
    const inspection = inspect(ts(`export function f(a: ${type}): null { return null; }`));
    assert.ok(inspection.status === "unsound", type);
    assert.match(inspection.problems[0]?.message ?? "", pattern);
  }
});

test("no schema has a boolean node but for closed objects", () => {
  const type = "{ a: unknown; b: any[]; c: [never?]; d: Record<string, unknown>; e: {} } | null";

  const visit = (node: Json, key: string): void => {
    if (typeof node === "boolean") assert.ok(key === "additionalProperties" && !node, key);
    if (typeof node === "object" && node !== null) {
      for (const [name, member] of Object.entries(node)) visit(member, name);
    }
  };
  visit(inputOf(type), "");
  visit(outputOf(type), "");
});
