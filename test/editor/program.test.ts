import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "../support/property.ts";
import { blank } from "../../src/editor/program.ts";
import { parse } from "../../src/editor/syntax.ts";

function blanked(text: string): string {
  const result = blank(parse(text, "ts"), "ts");
  assert.ok(result.status === "blanked", JSON.stringify(result));
  return result.text;
}

test("types and export become blanks, everything else stays where it is", () => {
  const text = "export const f = async <T,>(a: T, b?: string): Promise<T> => a as T;";

  assert.equal(
    blanked(text),
    "       const f = async     (a   , b         )             => a     ;",
  );
});

test("letters outside ASCII are kept, and shift nothing when they stand in a type", () => {
  const text =
    '\uFEFFexport function größe(a: "é" | "😀", b: { 名: string }): "ü" { return "ü😀" as "ü"; }';

  const program = blanked(text);

  assert.equal(program.length, text.length);
  assert.equal(program.replaceAll(/ +/g, " "), '\uFEFF function größe(a , b ) { return "ü😀" ; }');
  assert.equal(program.indexOf("return"), text.indexOf("return"));
});

test("names that differ only outside ASCII stay two names", () => {
  assert.match(
    blanked("const é: number = 1; const x: number = 2;"),
    /^const é {9}= 1; const x {9}= 2;$/,
  );
});

test("what cannot be erased is refused", () => {
  const result = blank(parse("enum A { b }", "ts"), "ts");

  assert.equal(result.status, "refused");
});

test("a program is as long as its source, line ends in place, whatever letters the source has", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "é", "名", "😀", " ", "ß", "\u00A0") });
  const lineEnd = fc.constantFrom("\n", "\r\n");

  fc.assert(
    fc.property(letters, letters, lineEnd, (a, b, end) => {
      const [text, type] = [JSON.stringify(a), JSON.stringify(b)];
      const source = [
        `type T = ${type} | {`,
        `  a: ${type}; // ${b}`,
        `};`,
        `/* ${a} */ export function f(a: T, b = ${text} as string): ${type}[] {`,
        `  const c: Array<T | ${type}> = [a];`,
        `  return [b, \`${a}\`] as never;`,
        `}`,
      ].join(end);

      const program = blanked(source);

      assert.equal(program.length, source.length);
      for (const [at, unit] of program.split("").entries()) {
        if (unit !== source[at]) assert.ok(unit === " " || unit === ";", `${at}: ${unit}`);
        if (source[at] === "\n") assert.equal(unit, "\n");
      }
      assert.ok(program.includes(`b = ${text}`) && program.includes(`\`${a}\``));
    }),
  );
});
