import assert from "node:assert/strict";
import test from "node:test";
import { runInThisContext } from "node:vm";
import type { Mutation } from "../../../../src/ports/editor.ts";
import { Matcher } from "../../../../src/proposers/search/regexes/matching.ts";
import { regexRepairs, sightingOf } from "../../../../src/proposers/search/regexes/repairs.ts";
import { createSearchProposer } from "../../../../src/proposers/search/search-proposer.ts";
import { aCase, Bench } from "../../../support/proposing.ts";

const CODES = `const shape = /^[A-Z]{2}-\\d{4}$/;
const other = /^\\d+$/;

export function isCode(text: string): boolean {
  const clean = text.trim();
  if (other.test(clean)) return false;
  return shape.test(clean);
}
`;

const CASES = [
  aCase("short", ["AB-1234"], true),
  aCase("long", ["AB-12345"], true),
  aCase("digits", ["1234"], false),
  aCase("small", ["ab-1234"], false),
  aCase("too long", ["AB-123456"], false),
  aCase("nothing", [""], false),
];

async function repairsOf(
  bench: Bench,
  source: string,
  cases = CASES,
): Promise<readonly Mutation[]> {
  const skill = await bench.skill(source, cases, {});
  const request = { skill, diagnosis: await bench.diagnose(skill), seed: 1, budgetMs: 10_000 };
  const { editor, sandbox, hosts, judgeCase } = bench;
  const ports = { editor, sandbox, hosts, judgeCase, isOver: () => false };
  const signal = AbortSignal.timeout(60_000);
  const sighting = await sightingOf(request, ports, signal);
  assert.ok(sighting !== null);
  return (await Array.fromAsync(regexRepairs(sighting, request, ports, signal))).flat();
}

function textOf(source: string, { edits }: Mutation): string {
  return edits.reduce(
    (text, edit) =>
      edit.op === "splice" ? text.slice(0, edit.start) + edit.text + text.slice(edit.end) : text,
    source,
  );
}

test("the expression that decides is repaired so that every text finds what it should", async () => {
  await using bench = new Bench();

  const repairs = await repairsOf(bench, CODES);

  const lines = repairs.map((one) => textOf(CODES, one).split("\n"));
  assert.ok(lines.some(([first]) => first?.includes("\\d{4,5}")));
  for (const [first = "", second] of lines) {
    assert.equal(second, CODES.split("\n")[1]);
    const made = runInThisContext(first.replace("const shape =", "")) as RegExp;
    assert.deepEqual(
      ["AB-1234", "AB-12345", "ab-1234", "AB-123456", ""].map((text) => made.test(text)),
      [true, true, false, false, false],
      first,
    );
  }
});

test("a pattern in a text is repaired as a text", async () => {
  await using bench = new Bench();
  const source = CODES.replace("/^[A-Z]{2}-\\d{4}$/", 'new RegExp("^[A-Z]{2}-\\\\d{4}$")');

  const repairs = await repairsOf(bench, source);

  assert.ok(
    repairs.some((one) => textOf(source, one).includes('new RegExp("^[A-Z]{2}-\\\\d{4,5}$")')),
  );
});

test("a table that misses an entry gets one that is made after its siblings", async () => {
  await using bench = new Bench();
  const source = `const shapes: Record<string, RegExp> = {
  aa: /^\\d{3}$/,
  bb: /^[A-Z]{2}\\d{4}$/,
  cc: /^[a-z]+$/,
};

export function isShaped(text: string, kind: string): boolean {
  const shape = shapes[kind];
  if (shape === undefined) throw new Error("no such kind");
  return shape.test(text);
}
`;
  const cases = [
    aCase("good", ["AB12345", "dd"], true),
    aCase("bad", ["AB", "dd"], false),
    aCase("known", ["123", "aa"], true),
  ];

  const repairs = await repairsOf(bench, source, cases);

  const added = repairs.map((one) => textOf(source, one));
  assert.ok(added.some((text) => text.includes('"dd": /^[A-Z]{2}\\d{4,5}$/')));
  assert.ok(added.every((text) => text.includes("aa: /^\\d{3}$/")));
});

test("where no expression decides there is nothing to repair", async () => {
  await using bench = new Bench();

  assert.deepEqual(await repairsOf(bench, CODES, [aCase("never", ["AB-1234"], "yes")]), []);
});

test("a pattern that matches for ever is given up, and those beside it are matched", async () => {
  await using bench = new Bench();
  const hostile = { text: "^(a+)+$", flags: "" };
  const others = ["^a", "b!$", "["].map((text) => ({ text, flags: "" }));
  const texts = [`${"a".repeat(40)}b!`];

  const matcher = new Matcher(bench);
  const matches = await matcher.matches(
    [...others, hostile],
    { texts, name: "" },
    AbortSignal.timeout(60_000),
  );

  assert.deepEqual(matches, [[""], [""], [null], [null]]);
});

test("the search proposes a general repair of a regular expression with two faults", async () => {
  await using bench = new Bench();
  const source =
    "export function isName(text: string): boolean {\n  return /^[a-z]{3}$/.test(text);\n}\n";
  const cases = [
    aCase("three", ["abc"], true),
    aCase("upper", ["aBc"], true),
    aCase("five", ["abcde"], true),
    aCase("mixed", ["ABCD"], true),
    aCase("two", ["ab"], false),
    aCase("digit", ["ab1"], false),
    aCase("six", ["abcdef"], false),
  ];
  const skill = await bench.skill(source, cases, {});

  const { proposals } = await bench.proposalsOf(createSearchProposer(bench), skill);

  assert.match(proposals[0]?.text ?? "", /\/\^\[a-zA-Z\]|\/\^\[A-Za-z\]|\/i/);
  assert.equal(proposals[0]?.origin.operator, "regex");
});

test("where a case never comes back, no expression is thought to be innocent", async () => {
  await using bench = new Bench();
  const source = `export function isPath(text: string): boolean {
  return /^(?:[a-z]+\\/?)+$/.test(text);
}
`;
  const cases = [aCase("short", ["usr/lib"], true), aCase("long", [`${"a".repeat(40)}:`], false)];
  const skill = await bench.skill(source, cases, {});
  const request = { skill, diagnosis: await bench.diagnose(skill), seed: 1, budgetMs: 10_000 };
  const { editor, sandbox, hosts, judgeCase } = bench;
  const ports = { editor, sandbox, hosts, judgeCase, isOver: () => false };

  const sighting = await sightingOf(request, ports, AbortSignal.timeout(60_000));

  assert.deepEqual(sighting?.places, []);
});
