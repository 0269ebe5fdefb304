import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Json } from "../../../src/domain/json.ts";
import type { JudgedCase } from "../../../src/domain/incident.ts";
import { literals } from "../../../src/editor/literals.ts";
import { isByHeart, type WithLiterals } from "../../../src/proposers/model/by-heart.ts";
import { aTrace } from "../../support/ledger.ts";
import { aCase } from "../../support/shop.ts";

const BEFORE = 'export function f(word: string) {\n  return word.slice(0, 2); // as in "paid"\n}\n';

function read(text: string): WithLiterals {
  return { text, literals: literals({ text, language: "ts", entry: "f" }) };
}

/** Whether a patch whose body is this brings answers, where it does nothing else that is new. */
function isLearnt(body: string, args: readonly Json[] = ["tree"], value: Json = "birch"): boolean {
  const after = read(`export function f(word: string) {\n  ${body}\n}\n`);
  const expectation = { kind: "value", value } as const;
  const trace = aTrace({});
  const judged: JudgedCase[] = [
    {
      case: { ...aCase("c", 1), args, expectation },
      outcome: trace.outcome,
      trace,
      passed: false,
      reason: "",
    },
  ];
  const agreement = { questions: [], original: [], clusters: [], traits: [], promise: 0 };
  return isByHeart({ before: read(BEFORE), after }, { agreement, cluster: 0 }, judged);
}

suite("answers by heart are told by their values", () => {
  for (const [how, body] of [
    ["as it is", 'return "birch";'],
    ["escaped", 'return "\\x62irch";'],
    ["a template", "return `bir${word.slice(0, 0)}ch`;"],
    ["pieces", 'return "bi" + "rc" + "h";'],
    ["single letters", 'return ["b", "i", "r", "c", "h"].join("");'],
    ["codes", "return String.fromCharCode(98, 105, 114, 99, 104);"],
    ["codes in hex", "return String.fromCharCode(0x62, 0x69, 0x72, 0x63, 0x68);"],
    ["codes as sums", "return String.fromCharCode(14 * 7, 15 * 7, 12 * 9 + 6, 9 * 11, 13 * 8);"],
    ["base64", 'return atob("YmlyY2g=");'],
    ["JSON", "return JSON.parse('\"birch\"');"],
    ["names of members", "return Object.keys({ birch: 0 })[0];"],
    ["a pattern", "return /birch/.source;"],
    ["a pattern letter by letter", "return /[b][i][r][c][h]/.source.replace(/\\W/g, '');"],
    ["its end changed only", 'return word === "tr" ? "bi" : "rch";'],
  ] as const) {
    test(`a text: ${how}`, () => {
      assert.equal(isLearnt(body), true);
    });
  }

  for (const [how, body] of [
    ["as it is", "return 4321;"],
    ["hex", "return 0x10e1;"],
    ["an exponent", "return 4e3 + 3e2 + 21;"],
    ["separators", "return 4_321;"],
    ["a BigInt", "return Number(4321n);"],
    ["a text", 'return Number("4321");'],
    ["bits", "return [1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1].reduce((a, b) => a + a + b);"],
  ] as const) {
    test(`a number: ${how}`, () => {
      assert.equal(isLearnt(body, ["tree"], 4321), true);
    });
  }

  test("small numbers that a case has, and tables of small numbers", () => {
    assert.equal(isLearnt("return word.length === 5 ? 7 : 1;", ["alder"], 7), true);
    assert.equal(isLearnt("return [3, 9, 4][word.length];", ["", "a", "bb"], 12), true);
  });

  test("what the source has, other code, and a few small numbers are no data", () => {
    for (const body of [
      "return word.slice(0, 2);",
      'return "paid" === word ? word : word.slice(0, 2);',
      "return word.slice(0, 3);",
      'return word.split(" ").at(-1);',
      'return word.replace(/\\s+/g, " ").trim();',
      "return word.toUpperCase();",
    ]) {
      assert.equal(isLearnt(body), false, body);
    }
  });

  test("a word that stands in the source's comments is data where a case asks for it", () => {
    assert.equal(isLearnt('return "paid";', ["x"], "paid"), true);
  });
});
