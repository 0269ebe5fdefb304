import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { inspect } from "../../src/editor/inspect.ts";
import { syntaxRepairs } from "../../src/editor/syntax-repairs.ts";
import { js, ts } from "../support/sources.ts";

/** Among how many of the likeliest texts the one that was meant must be. */
const NEAR_THE_TOP = 6;

const BODY = `function total(prices, rate) {
  // all of them
  let sum = 0;
  for (const price of prices) {
    if (price > 0 && price !== rate) {
      sum += price;
    } else {
      sum -= 1;
    }
  }
  const text = "total: " + sum.toFixed(2);
  return { sum, text };
}
`;

/** What is wrong, and how the text with the fault comes of the sound one. */
const SLIPS: readonly (readonly [string, string, string])[] = [
  ["a closing parenthesis is missing", "toFixed(2)", "toFixed(2"],
  ["a closing brace is missing at the end of a block", "1;\n    }\n  }", "1;\n    }"],
  ["a brace is one too many", "sum -= 1;\n    }", "sum -= 1;\n    }\n    }"],
  ["a bracket is of another kind", "prices) {", "prices} {"],
  ["a quote is missing", '"total: "', '"total: '],
  ["an opening quote is missing", '"total: "', 'total: "'],
  ["quotes differ", '"total: "', "\"total: '"],
  ["a comma is missing", "(prices, rate)", "(prices rate)"],
  ["an operator is missing", '"total: " + sum', '"total: " sum'],
  ["an operator is torn apart", "&&", "& &"],
  ["an operator is of another language", "!==", "<>"],
  ["a word is misspelt", "return", "retrun"],
  ["a word is capitalised", "const text", "Const text"],
  ["words are run together", "function total", "functiontotal"],
  ["a word is of another language", "&&", "and"],
  ["a comment begins as elsewhere", "// all", "# all"],
  ["a comment is not closed", "// all of them", "/* all of them"],
  ["a sign only looks like another", '"total: "', "“total: ”"],
  ["a stray sign", "sum += price", "sum += price@"],
  ["a name is missing", "sum += price", "sum += "],
  ["a constant has no value", "let sum = 0;", "let sum = 0;\n  const rest;"],
];

suite("what cannot be parsed is made parsable by the edits that are likeliest", () => {
  for (const [what, sound, slip] of SLIPS) {
    test(what, () => {
      const broken = BODY.replace(sound, slip);
      assert.notEqual(broken, BODY);

      const repairs = syntaxRepairs(js(broken, "total"), NEAR_THE_TOP);

      const wanted = plain(what === "a constant has no value" ? withLet(broken) : BODY);
      const found = repairs.map(({ text }) => plain(text));
      assert.ok(found.includes(wanted), repairs.map(({ says }) => says).join("\n"));
    });
  }
});

function withLet(text: string): string {
  return text.replace("const rest", "let rest");
}

/** Comments, blanks and semicolons aside. */
function plain(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "").replaceAll(/[\s;]+/g, "");
}

suite("early errors, which only the engine knows, count as well", () => {
  for (const [what, broken, meant] of [
    [
      "a name is declared twice",
      "function f(a) {\n  let x = a;\n  let x = x + 1;\n  return x;\n}\n",
      "function f(a) {\n  let x = a;\n  x = x + 1;\n  return x;\n}\n",
    ],
    [
      "a name is declared twice and means two things",
      "function f(a) {\n  const x = a;\n  const y = x * x;\n  const x = 2;\n  return x + y;\n}\n",
      "function f(a) {\n  const x = a;\n  const y = x * x;\n  const x2 = 2;\n  return x2 + y;\n}\n",
    ],
    [
      "a function awaits and is not async",
      "function f(a) {\n  return await a;\n}\n",
      "async function f(a) {\n  return await a;\n}\n",
    ],
    [
      "a jump has nothing to leave",
      "function f(a) {\n  if (a) break;\n  return 1;\n}\n",
      "function f(a) {\n  if (a) return;\n  return 1;\n}\n",
    ],
    [
      "a condition assigns to what is no variable",
      "function f(a) {\n  if (a + 1 = 2) return 1;\n  return 2;\n}\n",
      "function f(a) {\n  if (a + 1 == 2) return 1;\n  return 2;\n}\n",
    ],
    [
      "a pattern is broken",
      "function f(a) {\n  return /^(a/.test(a);\n}\n",
      "function f(a) {\n  return /^\\(a/.test(a);\n}\n",
    ],
  ] as const) {
    test(what, () => {
      const source = js(broken, "f");

      const repairs = syntaxRepairs(source, 10);

      assert.equal(inspect(source).status, "unsound");
      const texts = repairs.map(({ text }) => text.replaceAll(/ +;/g, ";"));
      assert.ok(texts.includes(meant), texts.join("\n---\n"));
    });
  }
});

test("two faults far apart are mended one after the other", () => {
  const broken = BODY.replace("(prices, rate)", "(prices rate)").replace(
    "sum.toFixed(2)",
    "sum.toFixed(2",
  );

  const [first] = syntaxRepairs(js(broken, "total"), 3);

  assert.equal(plain(first?.text ?? ""), plain(BODY));
  assert.match(first?.says ?? "", /`,` is missing after `prices`; .*`\)` is missing/);
});

test("statements before an `else` get their braces", () => {
  const broken =
    "function f(a) {\n  if (a)\n    a += 1;\n    a *= 2;\n  else\n    a = 0;\n  return a;\n}\n";

  const repairs = syntaxRepairs(js(broken, "f"), 6);

  assert.ok(repairs.some(({ text }) => /if \(a\) \{\s+a \+= 1;\s+a \*= 2;\s+\} else/.test(text)));
});

test("TypeScript keeps its types", () => {
  const broken = "export function f(a: number, b?: string): string {\n  return `${a: ${b}`;\n}\n";

  const repairs = syntaxRepairs(ts(broken), 6);

  assert.ok(repairs.some(({ text }) => text.includes("`${a}: ${b}`")));
});

test("a text that is no program at all is given up", () => {
  const prose = "It was a dark and stormy night; the rain fell in torrents, (except\n".repeat(40);

  assert.deepEqual(syntaxRepairs(js(prose, "f"), 4), []);
});
