import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Json } from "../../src/domain/json.ts";
import { isNeededWidening } from "../../src/domain/widening.ts";
import { newTypeErrors } from "../../src/editor/types.ts";
import { ts } from "../support/sources.ts";

/** Whether the one type may become the other for values that cases expect. */
function mayBecome(was: string, is: string, ...values: Json[]): boolean {
  const source = (type: string) =>
    ts(`export function f(a: string): ${type} { return JSON.parse(a); }\n${NODE}`);
  const [error] = newTypeErrors(source(was), source(is));
  assert.ok(error?.changed !== undefined, `${was} and ${is} are the same`);
  return isNeededWidening(error.changed.was, error.changed.is, values);
}

const NODE = "type Node = { name: string; next: Node | null };";

suite("a type becomes as wide as values need", () => {
  const needed: readonly (readonly [string, string, ...Json[]])[] = [
    ["number", "number | null", 1, null],
    ["number", "number | string", "a"],
    ["{ a: number }", "{ a: number | null }", { a: null }],
    ["{ a: number }", "{ a?: number }", {}, { a: 1 }],
    ["{ a: number }", "{ a: number; b?: string }", { a: 1, b: "x" }, { a: 2 }],
    ["{ a: number }", "{ a: number; b: string }", { a: 1, b: "x" }],
    ["{ a: number }", "{ a: number } | null", null, { a: 1 }],
    ["{ a: number }", "{ a: number; [name: string]: number }", { a: 1, other: 2 }],
    ["number[]", "(number | null)[]", [1, null]],
    ["number[]", "number[] | null", null, [1]],
    ["{ a: number[] }[]", "{ a: (number | string)[] }[]", [{ a: [1, "x"] }]],
    ['"a" | "b"', '"a" | "b" | "c"', "c", "a"],
    ['"a" | "b"', "string", "other"],
    ["Node", "Node | null", null],
    ["Record<string, number>", "Record<string, number | null>", { x: null }],
  ];
  for (const [was, is, ...values] of needed) {
    test(`${was} → ${is}`, () => assert.equal(mayBecome(was, is, ...values), true));
  }
});

suite("and is refused where it is anything else", () => {
  const refused: readonly (readonly [string, string, ...Json[]])[] = [
    ["number", "number | null", 1, 2],
    ["number", "number | null"],
    ["number", "unknown", null],
    ["number", "number | null | string", null],
    ["number", "string", "a"],
    ["number | string", "number | null", null],
    ["number | null", "number", 1],
    ["{ a: number }", "{ a: number | null }", { a: 1 }],
    ["{ a: number }", "{ a: unknown }", { a: null }],
    ["{ a: number }", "{ a: number; b?: string; c?: string }", { a: 1, b: "x" }],
    ["{ a: number; b: number }", "{ a: number | null }", { a: null }],
    ["{ a: number }", "Record<string, number | null>", { a: null }],
    ["number[]", "unknown[]", [null]],
    ["number[]", "number | null", null],
    ['"a" | "b"', '"a" | "c"', "c"],
    ['"a" | "b"', '"a" | "b" | "c" | "d"', "a"],
  ];
  for (const [was, is, ...values] of refused) {
    test(`${was} → ${is}`, () => assert.equal(mayBecome(was, is, ...values), false));
  }
});
