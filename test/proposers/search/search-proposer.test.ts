import assert from "node:assert/strict";
import test from "node:test";
import { createSearchProposer } from "../../../src/proposers/search/search-proposer.ts";
import { aCase, Bench } from "../../support/proposing.ts";

test("proposes the single edits that pass every visible case, the most promising first", async () => {
  await using bench = new Bench();
  const source = "export function least(xs: number[]): number {\n  return Math.max(...xs);\n}\n";
  const cases = [
    aCase("three", [[3, 1, 2]], 1),
    aCase("one", [[4]], 4),
    aCase("two", [[-1, 5]], -1),
  ];
  const skill = await bench.skill(source, cases, {});

  const { proposals, tried } = await bench.proposalsOf(createSearchProposer(bench), skill);

  assert.equal(proposals[0]?.text, source.replace("max", "min"));
  assert.equal(proposals[0]?.origin.operator, "global");
  assert.match(proposals[0]?.reason ?? "", /on line 2: "Math.max" becomes "Math.min"/);
  assert.ok(tried >= 1);
});

test("a program that never ends is given up, and the search goes on", async () => {
  await using bench = new Bench();
  const source = `export function sum(n: number): number {
  let total = 0;
  let i = 0;
  while (i < n) {
    total += i;
    i += 1;
  }
  return total;
}
`;
  const cases = [aCase("three", [3], 6), aCase("none", [0], 0), aCase("four", [4], 10)];
  const skill = await bench.skill(source, cases, {});

  const { proposals } = await bench.proposalsOf(createSearchProposer(bench), skill);

  assert.ok(proposals.length > 0);
});

test("ends within its budget where nothing helps", async () => {
  await using bench = new Bench();
  const source = "export function name(x: string): string {\n  return x;\n}\n";
  const cases = [aCase("odd", ["a"], "something else entirely"), aCase("same", ["b"], "b")];
  const skill = await bench.skill(source, cases, {});
  const startedAt = performance.now();

  const { proposals } = await bench.proposalsOf(createSearchProposer(bench), skill, 500);

  assert.deepEqual(proposals, []);
  assert.ok(performance.now() - startedAt < 30_000);
});

test("stops soon after its first finds: it does not look at everything", async () => {
  await using bench = new Bench();
  const source = "export function larger(a: number, b: number): boolean {\n  return a >= b;\n}\n";
  const cases = [
    aCase("equal", [1, 1], false),
    aCase("more", [2, 1], true),
    aCase("less", [1, 2], false),
  ];
  const skill = await bench.skill(source, cases, {});

  const { proposals, tried } = await bench.proposalsOf(createSearchProposer(bench), skill);

  assert.equal(proposals[0]?.text, source.replace(">=", ">"));
  assert.ok(tried < 400, `${tried} programs`);
});

test("says how sure it is, and on which input the rivals of a repair differ from it", async () => {
  await using bench = new Bench();
  const source =
    "export function area(width: number, height: number): number {\n  return width + height;\n}\n";
  const cases = [aCase("two by three", [2, 3], 6), aCase("two by two", [2, 2], 4)];
  const skill = await bench.skill(source, cases, {});

  const { proposals } = await bench.proposalsOf(createSearchProposer(bench), skill);

  const product = proposals.find(({ text }) => text.includes("width * height"));
  const double = product?.rivals?.find(({ reason }) => reason.includes('"width" becomes "height"'));
  assert.ok((product?.confidence ?? 0) > 0 && (product?.confidence ?? 1) < 1);
  assert.notEqual(double, undefined);
  const { input = "", chosen, rival } = double?.differsOn ?? {};
  const [width = 0, height = 0] = input.split(", ").map(Number);
  assert.deepEqual([Number(chosen), Number(rival)], [width * height, height + height]);
  const sum = new Map(proposals.map(({ confidence = 0, text }) => [text, confidence]));
  assert.ok([...sum.values()].every((share) => share > 0 && share < 1));
});
