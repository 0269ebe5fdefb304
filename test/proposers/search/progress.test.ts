import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Mutation } from "../../../src/ports/editor.ts";
import { progressTogether } from "../../../src/proposers/search/progress.ts";
import { aCase, Bench } from "../../support/proposing.ts";

const bench = new Bench();
after(() => bench[Symbol.asyncDispose]());

const SOURCE = `export function total(prices: number[], discount: number): number {
  let sum = 0;
  for (let at = 0; at < prices.length; at += 1) sum -= prices[at];
  return discount > 10 ? sum - discount : sum;
}
`;

const CASES = [
  aCase("none", [[], 0], 0),
  aCase("some", [[1, 2], 0], 3),
  aCase("less", [[30], 20], 30),
];

/** The progress of one edit each: a text of the source, and what stands there instead. */
async function progressOf(edits: readonly (readonly [before: string, after: string])[]) {
  const skill = await bench.skill(SOURCE, CASES, {});
  const diagnosis = await bench.diagnose(skill);
  const request = { skill, diagnosis, seed: 1, budgetMs: 10_000 };
  const mutations = edits.map(([before, text]): Mutation => {
    const start = SOURCE.indexOf(before);
    const edit = { op: "splice", start, end: start + before.length, text } as const;
    return { edits: [edit], operator: "comparison", prior: 1, program: skill.program };
  });
  const signal = AbortSignal.timeout(60_000);
  return await progressTogether(mutations, { request, budgetMs: 10_000 }, bench, signal);
}

test("gain is what comes nearer of the failing cases; a lost case is none, nor is an endless loop", async () => {
  const found = await progressOf([
    ["sum -= prices", "sum += prices"],
    ["sum - discount", "sum + discount"],
    ["let sum = 0", "let sum = 5"],
    ["at += 1", "at += 0"],
    ["prices.length", "prices.length - 0"],
  ]);

  const [nearer, , lost, endless, same] = (found ?? []).map((progress) => progress?.gain ?? NaN);
  assert.ok(Number(nearer) > 0.5, `a gain of ${nearer}`);
  assert.equal(lost, -1);
  assert.ok(Number(endless) <= 0, `a gain of ${endless}`);
  assert.equal(same, 0);
});

test("edits with one behaviour on all cases have one key", async () => {
  const found = await progressOf([
    ["sum -= prices", "sum += prices"],
    ["sum -= prices[at]", "sum += +prices[at]"],
    ["discount > 10", "discount > 11"],
  ]);

  assert.equal(found?.[0]?.key, found?.[1]?.key);
  assert.notEqual(found?.[0]?.key, found?.[2]?.key);
});
