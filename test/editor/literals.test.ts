import assert from "node:assert/strict";
import { test } from "node:test";
import { literals } from "../../src/editor/literals.ts";

function of(text: string): readonly (string | number)[] {
  return literals({ text, language: "ts", entry: null });
}

test("literals are told by value, however they are spelled", () => {
  assert.deepEqual(
    of("f(0x10, 1e3, 1_000, 0b11, .5, 7n, 0xffn);"),
    [16, 1000, 1000, 3, 0.5, 7, 255],
  );
  assert.deepEqual(of("f('a\\u0062', `c${d}e${f}g`, `h`);"), ["ab", "c", "e", "g", "h"]);
  assert.deepEqual(of('f({ a: 1, "b": 2, c() {} });'), ["a", 1, "b", 2, "c"]);
});

test("types are no values", () => {
  assert.deepEqual(of('type A = "x" | 3;\nlet a: "y" = f(1 as 2);'), [1]);
});

test("of a pattern, its letters count and not its classes", () => {
  assert.deepEqual(of("f(/^foo\\d{2,12}[a-z]\\x62ar(?<name>x)$/g);"), ["foo", "bar", "x"]);
});
