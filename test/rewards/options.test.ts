import assert from "node:assert/strict";
import { test } from "node:test";
import { matches, patternProblem } from "../../rewards/built-in/pattern.ts";
import { checkOptions } from "../../rewards/built-in/registry.ts";
import type { JsonObject } from "../../src/domain/json.ts";

test("options that are documented are accepted", () => {
  const sound: readonly (readonly [string, JsonObject])[] = [
    ["code", {}],
    ["code", { mayThrow: ["no price"], timeMs: 100, memoryMb: 8 }],
    ["api", {}],
    ["api", { status: [200, 404], payload: ["data.items", ["a.b", 0]], latencyMs: 250 }],
    ["data", {}],
    ["data", { records: "rows", unique: ["id"], required: ["id"], sums: { a: 1, b: "total" } }],
    ["data", { count: { atLeast: 1, atMost: 1 } }],
    ["goal", { all: [{ on: "kv", path: "a", op: "matches", value: "^a+$" }, { op: "exists" }] }],
    ["my-own-reward", { anything: ["goes"] }],
  ];

  for (const [use, options] of sound) assert.deepEqual(checkOptions(use, options), []);
});

for (const [use, options, problem] of [
  ["code", { timeMS: 1 }, /has no option `timeMS`; it has mayThrow, timeMs, memoryMb/],
  ["code", { constructor: 1 }, /has no option `constructor`/],
  ["code", { timeMs: 0 }, /`timeMs` must be a number above 0/],
  ["code", { mayThrow: [""] }, /`mayThrow` must be a list of texts/],
  ["code", { mayThrow: "no price" }, /`mayThrow` must be a list of texts/],
  ["api", { status: [20] }, /`status` must be a list of HTTP status codes/],
  ["api", { payload: [{}] }, /`payload` must be a list of paths/],
  ["data", { unique: [] }, /`unique` must be a list of texts/],
  ["data", { sums: { a: {} } }, /`sums` must be an object of columns/],
  ["data", { count: { atLeast: 2, atMost: 1 } }, /`count` must be/],
  ["data", { count: { min: 1 } }, /`count` must be/],
  ["goal", {}, /needs the option `all`/],
  ["goal", { all: [] }, /`all` must be a list of predicates/],
  ["goal", { all: [{ path: "a" }] }, /predicate 1 needs `op`, one of eq/],
  ["goal", { all: [{ op: "eq" }] }, /predicate 1 needs a value/],
  ["goal", { all: [{ op: "gt", value: true }] }, /needs a number or a text/],
  ["goal", { all: [{ op: "exists", on: "disk" }] }, /looks at `result` or `kv`/],
  ["goal", { all: [{ op: "exists", valeu: 1 }] }, /has no member `valeu`/],
  ["goal", { all: [{ op: "matches", value: "(" }] }, /is no regular expression/],
  ["goal", { all: [{ op: "matches", value: "(a+)+$" }] }, /repeats a group that repeats/],
] as const) {
  test(`${use} refuses ${JSON.stringify(options)}`, () => {
    assert.match(checkOptions(use, options).join("; "), problem);
  });
}

test("every problem is named in one pass", () => {
  const all = [{ op: "is" }, { op: "gt" }];

  assert.equal(checkOptions("goal", { all, any: [] }).length, 3);
});

test("patterns that could run for long are refused", () => {
  for (const pattern of [
    "(a*)*b",
    "(a|a)*b",
    "(?:a?a?)*b",
    "((a+)b)+",
    "(?<x>a+)+",
    "(\\d+){5}",
    "(a)\\1",
    "a*a*a*a*b",
    "a?a?a?a?a?a?a?a?a?a?a?aaaa",
  ]) {
    assert.notEqual(patternProblem(pattern), null, pattern);
  }
});

test("common patterns are allowed", () => {
  for (const pattern of [
    "^\\d+(\\.\\d+)?$",
    "^[a-z]+@[a-z.]+\\.[a-z]{2,}$",
    "^(USD|EUR|GBP)$",
    "[+*{}()|]+",
    "\\(\\+\\)",
    "(ab){2}",
  ]) {
    assert.equal(patternProblem(pattern), null, pattern);
  }
  assert.equal(matches("^\\d+(\\.\\d+)?$", "12.50"), true);
  assert.equal(matches("^\\d+(\\.\\d+)?$", "12."), false);
});

test("the worst allowed patterns end on the longest texts they are tried on", () => {
  assert.equal(matches("a*a*a*b", "a".repeat(256)), false);
  assert.equal(matches("a*a*b", "a".repeat(1_000)), false);
  assert.equal(matches("a*b", "a".repeat(10_000)), false);
  assert.equal(matches("a*a*a*", "a".repeat(257)), false, "longer texts are not searched");
});
