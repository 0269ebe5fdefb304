import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Case } from "../../../src/domain/case.ts";
import type { Capabilities, Limits } from "../../../src/domain/skill.ts";
import { Sieve } from "../../../src/proposers/search/sieve.ts";
import { Trial } from "../../../src/proposers/search/trial.ts";
import { aCase, Bench } from "../../support/proposing.ts";

const bench = new Bench();
after(() => bench[Symbol.asyncDispose]());

type Faulty = {
  readonly source: string;
  readonly cases: readonly Case[];
  readonly capabilities?: Capabilities;
  readonly limits?: Partial<Limits>;
  /** Most candidates take all of their time: only those are tried that are let through. */
  readonly isSlow?: boolean;
};

/** How many mutations pass when each is tried for itself, and how many of them a sieve lets through. */
async function compare({
  source,
  cases,
  capabilities = {},
  limits,
  isSlow = false,
}: Faulty): Promise<{
  readonly passing: number;
  readonly lost: readonly unknown[];
  readonly let: number;
}> {
  const made = await bench.skill(source, cases, capabilities);
  const manifest = { ...made.manifest, limits: { ...made.manifest.limits, ...limits } };
  const skill = { ...made, manifest };
  const diagnosis = await bench.diagnose(skill);
  const request = { skill, diagnosis, seed: 1, budgetMs: 60_000 };
  const signal = AbortSignal.timeout(120_000);
  const mutations = await bench.editor.enumerate(
    { text: skill.source, language: skill.language, entry: skill.signature.name },
    { suspicions: diagnosis.suspicions, offset: 0, limit: isSlow ? 50 : 160 },
    signal,
  );
  const hopes = await new Sieve(request, bench).sift(mutations, signal);
  const trial = new Trial(request, bench);
  const passing: number[] = [];
  for (const [at, { program }] of mutations.entries()) {
    if (isSlow && hopes[at] === "none") continue;
    if (await trial.passes(program, signal)) passing.push(at);
  }
  const lost = passing.filter((at) => hopes[at] === "none").map((at) => mutations[at]?.edits);
  return { passing: passing.length, lost, let: hopes.filter((hope) => hope !== "none").length };
}

test("what passes when it is tried alone is let through, and little else", async () => {
  const found = await compare({
    source: `export function clamp(value: number, low: number, high: number): number {
  if (low > high) throw new RangeError("low above high");
  let kept = value;
  for (let turn = 0; turn < 3; turn += 1) {
    if (kept < low) kept = low;
    if (kept < high) kept = high;
  }
  return kept;
}
`,
    cases: [
      aCase("in", [5, 1, 9], 5),
      aCase("low", [0, 1, 9], 1),
      aCase("high", [12, 1, 9], 9),
      aCase("edge", [9, 1, 9], 9),
    ],
  });
  assert.deepEqual(found.lost, []);
  assert.ok(found.passing > 0);
  assert.equal(found.let, found.passing);
});

test("a sieve has the same say on promises, plain states of the module and texts", async () => {
  const found = await compare({
    source: `const seen = new Map<string, number>();
export async function count(words: string[]): Promise<Record<string, number>> {
  for (const word of words) {
    const key = await Promise.resolve(word.trim().toLowerCase());
    seen.set(key, (seen.get(key) ?? 1) + 1);
  }
  return Object.fromEntries([...seen].sort(([a], [b]) => a.localeCompare(b)));
}
`,
    cases: [
      aCase("none", [[]], {}),
      aCase("some", [["b", "a ", "B"]], { a: 1, b: 2 }),
      aCase("one", [["x"]], { x: 1 }),
    ],
  });
  assert.deepEqual(found.lost, []);
  assert.ok(found.passing > 0);
  assert.equal(found.let, found.passing);
});

test("a skill that asks the world for something loses no repair", async () => {
  const found = await compare({
    capabilities: { kv: true },
    source: `type Ctx = { kv: { get(key: string): Promise<number | null> } };
export async function next(step: number, ctx: Ctx): Promise<number> {
  const last = (await ctx.kv.get("last")) ?? 0;
  return last - step;
}
`,
    cases: [aCase("first", [2], 2), { ...aCase("later", [2], 7), world: { kv: { last: 5 } } }],
  });
  assert.deepEqual(found.lost, []);
  assert.ok(found.passing > 0);
  assert.equal(found.let, found.passing);
});

test("a loop that does not end outside, by time or by memory, does not end in a sieve", async () => {
  const found = await compare({
    source: `export function runs(text: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < text.length) {
    let end = at;
    while (end < text.length && text[end] === text[at]) end += 1;
    found.push(text.slice(at, end));
    at = at;
  }
  return found;
}
`,
    limits: { timeoutMs: 300 },
    isSlow: true,
    cases: [
      aCase("none", [""], []),
      aCase("some", ["aab"], ["aa", "b"]),
      aCase("one", ["a"], ["a"]),
    ],
  });
  assert.deepEqual(found.lost, []);
  assert.ok(found.passing > 0);
  assert.equal(found.let, found.passing);
});

test("where the case to repair needs far more turns than the others, there is more fuel for it", async () => {
  const found = await compare({
    source: `export function sum(upto: number): number {
  let total = 0;
  let at = 0;
  while (at < upto) {
    total += at;
    at -= 1;
  }
  return total;
}
`,
    limits: { timeoutMs: 300 },
    isSlow: true,
    cases: [aCase("none", [0], 0), aCase("less", [-1], 0), aCase("many", [4_000], 7_998_000)],
  });
  assert.deepEqual(found.lost, []);
  assert.ok(found.passing > 0);
  assert.equal(found.let, found.passing);
});

test("where a fault ends a program early, a repair that takes far longer is not lost", async () => {
  const found = await compare({
    source: `export function isPrime(value: number): boolean {
  for (let by = 1; by < value; by += 1) {
    if (value % by === 0) return false;
  }
  return value > 1;
}
`,
    isSlow: true,
    cases: [aCase("four", [4], false), aCase("small", [7], true), aCase("large", [104_729], true)],
  });
  assert.deepEqual(found.lost, []);
  assert.ok(found.passing > 0);
});
