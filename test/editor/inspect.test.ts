import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "../../src/editor/inspect.ts";
import type { SourceText } from "../../src/ports/editor.ts";
import { js, ts } from "../support/sources.ts";

function problemsOf(source: SourceText): readonly string[] {
  const inspection = inspect(source);
  return inspection.status === "sound"
    ? []
    : inspection.problems.map(({ line, message }) => `${line}: ${message}`);
}

function soundly(source: SourceText): Extract<ReturnType<typeof inspect>, { status: "sound" }> {
  const inspection = inspect(source);
  assert.equal(inspection.status, "sound", JSON.stringify(inspection));
  assert.ok(inspection.status === "sound");
  return inspection;
}

test("takes a function declaration or a const that holds a function, sync or async", () => {
  for (const text of [
    "export function f(a: number, ctx: unknown): number { return a; }",
    "export async function f(a: number, ctx: unknown): Promise<number> { return a; }",
    "export const f = (a: number, ctx: unknown): number => a;",
    "export const f = async function (a: number, ctx: unknown): Promise<number> { return a; };",
  ]) {
    const { signature, program } = soundly(ts(text));

    assert.equal(signature.name, "f");
    assert.deepEqual(
      signature.parameters.map(({ name }) => name),
      ["a"],
    );
    assert.equal(signature.takesCtx, true);
    assert.equal(signature.isAsync, text.includes("async"));
    assert.deepEqual([program.entry, program.strict, program.takesCtx], ["f", true, true]);
  }
});

test("exports of types count for nothing", () => {
  soundly(
    ts("export type A = string;\nexport interface B { a: A }\nexport const f = (b: B): A => b.a;"),
  );
});

test("names every problem in one pass, with its line", () => {
  const text = [
    'import { x } from "y";',
    "export default function a() { return 1; }",
    "enum Color { red }",
    "namespace Old { export const one = 1; }",
    "class Point { constructor(private x: number) {} }",
    "export const b = (c: Map<string, Date>, { d }: { d: number }, ...e: bigint[]) => c;",
    "export const g = 1;",
  ].join("\n");

  const problems = problemsOf({ text, language: "ts", entry: "b" });

  const expected = [
    /^1: a skill imports nothing/,
    /^2: a default export has no name/,
    /^3: enum Color cannot be erased/,
    /^4: namespace Old cannot be erased/,
    /^5: a parameter property cannot be erased/,
    /^6: a parameter has a name/,
    /^6: a rest parameter/,
    /^6: c is a Map/,
    /^6: e\[\] is a bigint/,
    /^6: result is a Map/,
  ];
  for (const pattern of expected) {
    assert.ok(
      problems.some((problem) => pattern.test(problem)),
      `${pattern} in\n${problems.join("\n")}`,
    );
  }
});

test("refuses more than one export unless one is asked for by name", () => {
  const text = "export const f = (a: number) => a;\nexport function g(a: number) { return a; }";

  assert.match(
    problemsOf(ts(text)).join("\n"),
    /2: exactly one function is exported, here are 2: f, g/,
  );
  assert.equal(soundly({ ...ts(text), entry: "g" }).signature.name, "g");
});

test("refuses a source without the function", () => {
  assert.match(problemsOf(ts("")).join(), /no function is exported/);
  assert.match(problemsOf(ts("export const f = 3;")).join(), /f must be declared as a function/);
  assert.match(
    problemsOf({ ...ts("export const f = () => 3;"), entry: "g" }).join(),
    /nothing named g/,
  );
  assert.match(problemsOf(ts("const f = () => 3;\nexport { f };")).join(), /where it is declared/);
  assert.match(problemsOf(ts("export function* f() { yield 1; }")).join(), /generator/);
});

test("names early errors that only the engine sees", () => {
  assert.deepEqual(
    problemsOf(
      ts("export const f = (a: number) => {\n  let b = a;\n  let b = 1;\n  return b;\n};"),
    ),
    ["3: Identifier 'b' has already been declared"],
  );
  assert.match(
    problemsOf(ts("export const f = (a: string) => /(/.test(a);")).join(),
    /regular expression/i,
  );
  assert.match(problemsOf(ts("export function f() { return 1; }\nawait f();")).join(), /await/);
});

test("a plain script defines its entry in any of the usual ways", () => {
  for (const text of [
    "function f(a, b) { return a; }",
    "var f = function (a, b) { return a; };",
    "const f = (a, b = 2) => a;",
    "f = (a, b) => a;",
  ]) {
    const { signature, program, inputSchema } = soundly(js(text, "f"));

    assert.deepEqual(
      signature.parameters,
      ["a", "b"].map((name) => ({ name, optional: true, schema: {} })),
    );
    assert.equal(program.strict, false);
    assert.equal(program.text, text);
    assert.equal(inputSchema["required"], undefined);
  }
  assert.equal(soundly(js("export function f(a) { return a; }", "f")).program.strict, true);
});

test("the digest does not see blanks and comments, and sees everything else", () => {
  const digest = (text: string): string => soundly(ts(text)).digest;
  const plain = digest("export const f = (a: string) => /a b/.test(`x ${a}`);");

  const spaced = digest(
    "// why\r\nexport const f = ( a:string )=>/a b/ . test( `x ${ a }` ) ; /* end */",
  );
  const others = [
    digest("export const f = (a: string) => /a  b/.test(`x ${a}`);"),
    digest("export const f = (a: string) => /a b/.test(`x  ${a}`);"),
    digest("export const f = (b: string) => /a b/.test(`x ${b}`);"),
  ];

  assert.equal(spaced, plain);
  assert.equal(new Set([plain, ...others]).size, 4);
});
