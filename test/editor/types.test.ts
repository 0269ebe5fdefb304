import assert from "node:assert/strict";
import { test } from "node:test";
import { newTypeErrors } from "../../src/editor/types.ts";
import { aSource, js, ts } from "../support/sources.ts";

function errors(before: string, after: string): string[] {
  return newTypeErrors(ts(before), ts(after)).map(({ message }) => message);
}

const ENTRY = "export function f(a: string): number { return a.length; }";

test("a sound patch has none", () => {
  const source = aSource();

  assert.deepEqual(newTypeErrors(source, source), []);
  assert.deepEqual(errors(ENTRY, ENTRY.replace("a.length", "a.trim().length")), []);
});

test("errors that were there before are nobody's fault, wherever they have moved", () => {
  const faulty = `const list: string[] = [1];\n${ENTRY}`;

  assert.deepEqual(errors(faulty, `// moved\n\n${faulty}`), []);
  assert.deepEqual(errors(faulty, `${faulty}\nconst more: string[] = [1];`), [
    "Type 'number' is not assignable to type 'string'.",
  ]);
});

test("says on which line an error stands", () => {
  const after = ENTRY.replace("{ return a.length; }", "{\n  return a;\n}");

  assert.deepEqual(newTypeErrors(ts(ENTRY), ts(after)), [
    { line: 2, message: "Type 'string' is not assignable to type 'number'." },
  ]);
});

test("knows what exists inside the isolate, and that nothing else does", () => {
  const text = `export async function f(a: string): Promise<string> {
  const url = new URL(a);
  url.searchParams.set("q", btoa(new TextDecoder().decode(new TextEncoder().encode(a))));
  await new Promise<void>((resolve) => setTimeout(resolve, 1));
  console.log(structuredClone([...url.searchParams]), performance.now());
  return new AbortController().signal.aborted ? "" : url.href;
}`;

  assert.deepEqual(
    errors("export async function f(a: string): Promise<string> { return a; }", text),
    [],
  );
  assert.deepEqual(
    errors(ENTRY, ENTRY.replace("return", "process.exit(); document.title; return")).map(
      (message) => message.slice(0, 24),
    ),
    ["Cannot find name 'proces", "Cannot find name 'docume"],
  );
});

test("a changed contract is an error", () => {
  const table: Readonly<Record<string, RegExp>> = {
    "export function g(a: string): number { return a.length; }": /f became g/,
    "export function f(b: string): number { return b.length; }": /\(a\) became \(b\)/,
    "export function f(a: string, b: string): number { return b.length; }": /\(a\) became \(a, b\)/,
    "export function f(a?: string): number { return 1; }": /\(a\) became \(a\?\)/,
    "export function f(a: string | null): number { return 1; }": /the type of a/,
    "export function f(a: string): number | null { return 1; }": /the type of the result/,
    "export function f(a: string, ctx: unknown): number { return 1; }": /ctx was added/,
    [`${ENTRY}\nexport const g = 1;`]: /g is exported too|exactly one function/,
  };
  for (const [after, pattern] of Object.entries(table))
    assert.match(errors(ENTRY, after).join("\n"), pattern);
});

test("doc comments, and going async, are no part of the contract", () => {
  const after =
    "/** New words. @param a it */\nexport async function f(a: string): Promise<number> { return 1; }";

  assert.deepEqual(errors(ENTRY, after), []);
});

test("a result type that nobody wrote down follows the code, but not to another kind of value", () => {
  const before = "export const f = (a: string) => a === '' ? null : 1;";

  assert.deepEqual(errors(before, "export const f = (a: string) => a.length;"), []);
  assert.match(
    errors(before, "export const f = (a: string) => a;").join(),
    /the type of the result/,
  );
});

test("plain JavaScript has syntax alone", () => {
  const before = js("function f(a) { return a; }", "f");

  assert.deepEqual(
    newTypeErrors(before, js("function f(a, b) { return a.b.c + nowhere; }", "f")),
    [],
  );
  assert.match(
    newTypeErrors(before, js("function f(a) { return a +; }", "f"))[0]?.message ?? "",
    /expected/,
  );
  assert.match(
    newTypeErrors(before, js("function g(a) { return a; }", "f"))[0]?.message ?? "",
    /nothing named f/,
  );
});
