import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "../support/property.ts";
import type { Edit } from "../../src/domain/candidate.ts";
import { apply } from "../../src/editor/apply.ts";
import type { SourceText } from "../../src/ports/editor.ts";
import { aSource, js, ts } from "../support/sources.ts";

function edited(source: SourceText, ...edits: Edit[]): string {
  const result = apply(source, edits);
  assert.ok(result.status === "edited", JSON.stringify(result));
  return result.text;
}

function refusal(source: SourceText, ...edits: Edit[]): string {
  const result = apply(source, edits);
  assert.ok(result.status === "refused", JSON.stringify(result));
  return result.reason;
}

test("a splice replaces its range and nothing else", () => {
  const source = aSource("\r\n");
  const start = source.text.indexOf("scale ?? 1");

  const text = edited(source, { op: "splice", start, end: start + 10, text: "scale ??\n1" });

  assert.equal(text, source.text.replace("scale ?? 1", "scale ??\r\n1"));
});

test("a body takes the indentation and line ends of the file", () => {
  const text = edited(aSource("\r\n"), {
    op: "body",
    target: "toNumber",
    code: "\n    const clean = text;\n\n    if (clean) {\n      return 1;\n    }\n    return +clean;\n",
  });

  assert.ok(
    text.endsWith(
      "function toNumber(text: string): number {\r\n\tconst clean = text;\r\n\r\n\tif (clean) {\r\n" +
        "\t  return 1;\r\n\t}\r\n\treturn +clean;\r\n}\r\n",
    ),
    JSON.stringify(text),
  );
});

test("a body with a template is put in as it is: blanks in it may be text", () => {
  const text = edited(ts("export function f() {\n  return 1;\n}\n"), {
    op: "body",
    target: "f",
    code: "return `a\n   b`;",
  });

  assert.equal(text, "export function f() {\nreturn `a\n   b`;\n}\n");
});

test("the expression of an arrow becomes a block; methods are found by their class", () => {
  const source = ts("export const f = (a: number) => ({ a });\nclass K { m() { return 1; } }\n");

  assert.equal(
    edited(source, { op: "body", target: "f", code: "return { a: 2 };" }),
    "export const f = (a: number) => {\n  return { a: 2 };\n};\nclass K { m() { return 1; } }\n",
  );
  assert.match(edited(source, { op: "body", target: "K.m", code: "return 2;" }), /return 2;/);
});

test("a doc comment stays one after ten patches, whether the new text brings it or not", () => {
  for (const doc of ["", "/**\n * Reads a price.\n */\n", "// a remark\n"]) {
    let source = aSource();
    for (let round = 0; round < 10; round += 1) {
      const code = `${doc}export function readPrice(text: string, scale?: number): Price {\n\treturn { amount: ${round}, currency: text };\n}`;
      source = ts(edited(source, { op: "replace", target: "readPrice", code }));
    }

    assert.equal(source.text.split("Reads a price.").length - 1, doc.startsWith("//") ? 0 : 1);
    assert.equal(source.text.split("a remark").length - 1, doc.startsWith("//") ? 1 : 0);
    assert.ok(source.text.includes("// Prices as shops write them."));
    assert.ok(source.text.includes("}\n\n\nfunction toNumber"));
  }
});

test("types, constants and classes are replaced by name, the whole file by a star", () => {
  const source = ts(
    "type A = 1;\nconst b = 1, c = 2;\nclass D {}\nexport const f = () => b + c;\n",
  );

  assert.match(
    edited(source, { op: "replace", target: "A", code: "type A = 2;" }),
    /^type A = 2;\n/,
  );
  assert.match(edited(source, { op: "replace", target: "D", code: "class D { x = 1 }" }), /x = 1/);
  assert.match(
    refusal(source, { op: "replace", target: "b", code: "const b = 3;" }),
    /together with c/,
  );
  assert.equal(
    edited(ts(`\uFEFF${source.text}`), {
      op: "replace",
      target: "*",
      code: "export const f = 1;\n",
    }),
    "\uFEFFexport const f = 1;\n",
  );
});

test("a declaration is added at the end, after one blank line", () => {
  const added: Edit = { op: "add", code: "const late = 1;" };

  assert.equal(edited(ts("const a = 1;"), added), "const a = 1;\n\nconst late = 1;\n");
  assert.equal(edited(ts("const a = 1;\r\n"), added), "const a = 1;\r\n\r\nconst late = 1;\r\n");
});

test("several edits all mean the text as it was", () => {
  const source = js("function f(a) { return a + 1; }\nfunction g(a) { return a; }\n", "f");

  const text = edited(
    source,
    { op: "body", target: "g", code: "return a * 2;" },
    { op: "splice", start: source.text.indexOf("1"), end: source.text.indexOf("1") + 1, text: "2" },
    { op: "add", code: "function h() {}" },
  );

  assert.equal(
    text,
    "function f(a) { return a + 2; }\nfunction g(a) {\n  return a * 2;\n}\n\nfunction h() {}\n",
  );
});

test("refuses what is no patch, with the reason", () => {
  const source = ts("export function f(a: number) {\n  return a;\n}\n");
  const table: readonly (readonly [RegExp, readonly Edit[]])[] = [
    [/change nothing/, []],
    [/change nothing/, [{ op: "splice", start: 0, end: 6, text: "export" }]],
    [/no range/, [{ op: "splice", start: 5, end: 1_000, text: "" }]],
    [/no range/, [{ op: "splice", start: -1, end: 2, text: "" }]],
    [/no range/, [{ op: "splice", start: 0.5, end: 2, text: "" }]],
    [/no g to replace/, [{ op: "replace", target: "g", code: "const g = 1;" }]],
    [/no function g/, [{ op: "body", target: "g", code: "return 1;" }]],
    [/does not declare f/, [{ op: "replace", target: "f", code: "const g = 1;" }]],
    [/line 2: Expression expected/, [{ op: "body", target: "f", code: "return a + ;" }]],
    [
      /closes the function/,
      [{ op: "body", target: "f", code: "return 1; }\nfunction g() { return 2;" }],
    ],
    [/line 4: Identifier 'b'/, [{ op: "body", target: "f", code: "let b;\n\nlet b;" }]],
    [/enum is not supported/, [{ op: "add", code: "enum E { a }" }]],
    [
      /touch the same text/,
      [
        { op: "body", target: "f", code: "return 2;" },
        { op: "splice", start: 40, end: 41, text: "x" },
      ],
    ],
  ];
  for (const [pattern, edits] of table) assert.match(refusal(source, ...edits), pattern);
});

test("a source that does not parse may be mended", () => {
  assert.equal(
    edited(js("function f(a) { return (a; }", "f"), {
      op: "splice",
      start: 25,
      end: 25,
      text: ")",
    }),
    "function f(a) { return (a); }",
  );
});

/** Declarations with all that formatting can do around them, in one kind of line end. */
const layout = fc.record({
  bom: fc.constantFrom("", "\uFEFF"),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  indent: fc.constantFrom("", "  ", "\t", "    "),
  gaps: fc.array(
    fc.constantFrom(
      "",
      "\n",
      "\n\n\n",
      "// ü line\n",
      "/* block\n\t😀 */\n",
      "  \t\n",
      "/** doc\n */\n\n",
    ),
    { minLength: 4, maxLength: 4 },
  ),
});

test("bytes outside a body or declaration are the same, whatever the layout", () => {
  fc.assert(
    fc.property(layout, ({ bom, lineEnd, indent, gaps: [a = "", b = "", c = "", d = ""] }) => {
      const withEnds = (text: string): string => text.replaceAll("\n", lineEnd);
      const open = `${indent}export function two(a: string) {`;
      const before = withEnds(`${bom}${a}const one = "é";\n${b}${open}`);
      const after = withEnds(`}${c}\n${indent}const three = [1,2 , 3 ]${d}\n`);
      const source = ts(`${before}${withEnds(`\n${indent}return a;  \n`)}${after}`);

      const body = edited(source, { op: "body", target: "two", code: "const b = a;\nreturn b;" });
      const whole = edited(source, {
        op: "replace",
        target: "two",
        code: "export function two(a: string) {\n  return one;\n}",
      });

      assert.ok(body.startsWith(before) && body.endsWith(after), JSON.stringify(body));
      assert.equal(/[^\r]\n/.test(body), lineEnd === "\n");
      assert.ok(whole.startsWith(before.slice(0, -open.trimStart().length)), JSON.stringify(whole));
      assert.ok(whole.endsWith(after.slice(1)), JSON.stringify(whole));
    }),
  );
});
