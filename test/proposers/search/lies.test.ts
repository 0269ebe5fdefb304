import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Case } from "../../../src/domain/case.ts";
import { createSearchProposer } from "../../../src/proposers/search/search-proposer.ts";
import { aCase, Bench } from "../../support/proposing.ts";

const bench = new Bench();
after(() => bench[Symbol.asyncDispose]());

/** A source, searched for a repair to the end of its time. */
async function searched(source: string, cases: readonly Case[]): Promise<void> {
  const skill = await bench.skill(source, cases, {});
  const request = { skill, diagnosis: await bench.diagnose(skill), seed: 1, budgetMs: 3_000 };
  const { editor, sandbox, hosts, judgeCase } = bench;
  const proposer = createSearchProposer({ editor, sandbox, hosts, judgeCase });
  for await (const _ of proposer.propose(request, AbortSignal.timeout(60_000)));
}

for (const count of ["1e8", "0.5", "5e9", "-1", "'many'"]) {
  test(`a program that makes a probe count ${count} turns ends no search`, async () => {
    const source = `const from = Array.from;
Array.from = ((list: ArrayLike<number>, each?: (value: number) => number) => {
  const made = each === undefined ? from(list) : from(list, each);
  return each !== undefined && String(each).includes("count") ? made.map(() => ${count}) : made;
}) as typeof Array.from;
export function squares(values: number[], least: number): number {
  let sum = 0;
  for (const value of values) {
    if (value > least) sum = sum + value * value;
  }
  return sum;
}
`;
    const cases = [
      aCase("some", [[1, 2, 3], 2], 17),
      aCase("none", [[1], 5], 99),
      aCase("one", [[4, 5], 4], 46),
    ];

    await assert.doesNotReject(searched(source, cases));
  });
}

for (const told of ["null", "7", "[[], {}, 1, 2]", '[-1, "a", 1e300, true]']) {
  test(`a program that makes a watched pattern tell ${told} ends no search`, async () => {
    const source = `const push = Array.prototype.push;
Array.prototype.push = function (...items: unknown[]): number {
  const [one] = items;
  if (Array.isArray(one) && one.length === 4 && typeof one[3] === "boolean") items[0] = ${told};
  return push.apply(this, items);
};
export function isWord(text: string): boolean {
  return /^[a-y]+$/.test(text);
}
`;
    const cases = [
      aCase("last", ["z"], true),
      aCase("first", ["a"], true),
      aCase("no", ["1"], false),
    ];

    await assert.doesNotReject(searched(source, cases));
  });
}
