import assert from "node:assert/strict";
import { test } from "node:test";
import type { Mutation } from "../../../src/ports/editor.ts";
import { pairs } from "../../../src/proposers/search/pairs.ts";
import { createSearchProposer } from "../../../src/proposers/search/search-proposer.ts";
import { aCase, Bench } from "../../support/proposing.ts";

const SOURCE = `export function label(n: number, unit: string): string {
  return n + 1 + ":" + unit.toUpperCase();
}
`;
const CASES = [
  aCase("a", [3, "Km"], "2:km"),
  aCase("b", [10, "MI"], "9:mi"),
  aCase("c", [1, "m"], "0:m"),
];

test("an edit that brings a failing case nearer is the parent of the second one", async () => {
  await using bench = new Bench();
  const skill = await bench.skill(SOURCE, CASES, {});

  const made = await allPairs(bench, skill);

  const repair = made.find(({ program: { text } }) => /n - 1 [^]*toLowerCase/.test(text));
  assert.equal(repair?.operator, "pair");
  const start = SOURCE.indexOf("+ 1");
  const end = SOURCE.indexOf("Upp") + "Upp".length;
  const text = '- 1 + ":" + unit.toLow';
  assert.deepEqual(repair.edits, [{ op: "splice", start, end, text }]);
});

test("without progress there are no pairs", async () => {
  await using bench = new Bench();
  const source = "export function same(x: string): string {\n  return x;\n}\n";
  const cases = [aCase("kept", ["a"], "a"), aCase("odd", ["b"], ["never", "b", 7])];
  const skill = await bench.skill(source, cases, {});

  const made = await allPairs(bench, skill);

  assert.ok(made.every(({ operator }) => operator === "pair"));
});

test("the search proposes a pair where no single edit is enough", async () => {
  await using bench = new Bench();
  const skill = await bench.skill(SOURCE, CASES, {});

  const { proposals } = await bench.proposalsOf(createSearchProposer(bench), skill, 40_000);

  const [first] = proposals;
  assert.match(first?.text ?? "", /n - 1[^]*toLowerCase/);
  assert.equal(first?.origin.operator, "pair");
  assert.match(first?.reason ?? "", /^changes two places on line 2/);
});

test("the second edit may be a new expression", async () => {
  await using bench = new Bench();
  const source = `export function longest(a: string, b: string, n: number): string {
  const best = a > b ? a : b;
  return best + ":" + (n + 1);
}
`;
  const cases = [
    aCase("b", ["zz", "abc", 3], "abc:2"),
    aCase("a", ["abcd", "zz", 1], "abcd:0"),
    aCase("like", ["b", "a", 8], "a:7"),
    aCase("as it was", ["zzz", "ab", 5], "zzz:4"),
  ];
  const skill = await bench.skill(source, cases, {});
  const isRepair = ({ program: { text } }: Mutation): boolean =>
    /a\.length > b\.length[^]*n - 1/.test(text);

  const made = await allPairs(bench, skill, isRepair);

  assert.equal(made.find(isRepair)?.operator, "pair");
});

/** All pairs, or those up to the first of some kind. */
async function allPairs(
  bench: Bench,
  skill: Awaited<ReturnType<Bench["skill"]>>,
  isEnough: (made: Mutation) => boolean = () => false,
): Promise<readonly Mutation[]> {
  const request = { skill, diagnosis: await bench.diagnose(skill), seed: 1, budgetMs: 60_000 };
  const { editor, sandbox, hosts, judgeCase } = bench;
  const ports = {
    editor,
    sandbox,
    hosts,
    judgeCase,
    parallel: 2,
    isOver: () => false,
    isLocalised: true,
  };
  const made: Mutation[] = [];
  for await (const some of pairs(request, ports, AbortSignal.timeout(60_000))) {
    made.push(...some);
    if (some.some(isEnough)) break;
  }
  return made;
}
