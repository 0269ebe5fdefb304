import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Case } from "../../../../src/domain/case.ts";
import type { Capabilities } from "../../../../src/domain/skill.ts";
import { createSearchProposer } from "../../../../src/proposers/search/search-proposer.ts";
import { Sieve } from "../../../../src/proposers/search/sieve.ts";
import { recordingOf } from "../../../../src/proposers/search/synthesis/recording.ts";
import { synthesised } from "../../../../src/proposers/search/synthesis/synthesis.ts";
import { Trial } from "../../../../src/proposers/search/trial.ts";
import { aCase, Bench } from "../../../support/proposing.ts";

const bench = new Bench();
after(() => bench[Symbol.asyncDispose]());

/** Texts that synthesis puts into a source so that all its cases pass, the likeliest first. */
async function found(
  source: string,
  cases: readonly Case[],
  { capabilities = {}, enough = 24 }: { capabilities?: Capabilities; enough?: number } = {},
): Promise<readonly string[]> {
  const skill = await bench.skill(source, cases, capabilities);
  const request = { skill, diagnosis: await bench.diagnose(skill), seed: 1, budgetMs: 60_000 };
  const signal = AbortSignal.timeout(120_000);
  const [sieve, trial] = [new Sieve(request, bench), new Trial(request, bench)];
  const passing: string[] = [];
  const { editor, sandbox, hosts } = bench;
  const ports = { editor, sandbox, hosts, isOver: () => passing.length >= enough };
  for await (const some of synthesised(request, ports, signal)) {
    const hopes = await sieve.sift(some, signal);
    for (const [at, { edits, program }] of some.entries()) {
      if (hopes[at] === "none" || ports.isOver()) continue;
      const [edit] = edits;
      if (!(await trial.confirms(program, signal))) continue;
      passing.push(edit?.op === "splice" ? edit.text : "");
    }
  }
  return passing;
}

test("a condition that no operator knows is found by what it must be", async () => {
  const source = `export function longer(a: string, b: string): string {
  if (a > b) return a;
  return b;
}
`;
  const cases = [
    aCase("second", ["zz", "abc"], "abc"),
    aCase("first", ["abcd", "zz"], "abcd"),
    aCase("alike", ["a", "z"], "z"),
    aCase("shorter", ["zzz", "ab"], "zzz"),
  ];
  const skill = await bench.skill(source, cases, {});

  const { proposals } = await bench.proposalsOf(createSearchProposer(bench), skill);

  assert.equal(proposals[0]?.text, source.replace("a > b", "a.length > b.length"));
  assert.equal(proposals[0]?.origin.operator, "synthesise-condition");
});

test("a value is made of what is in scope", async () => {
  const source = `export function middle(xs: number[]): number {
  const left = 0;
  const right = xs.length - 1;
  const mid = left;
  return xs[mid] ?? 0;
}
`;
  const cases = [
    aCase("five", [[4, 7, 1, 9, 3]], 1),
    aCase("six", [[4, 7, 1, 9, 3, 5]], 1),
    aCase("one", [[4]], 4),
    aCase("two", [[8, 2]], 8),
    aCase("nine", [[1, 2, 3, 4, 0, 6, 7, 8, 9]], 0),
  ];

  const texts = await found(source, cases);

  assert.ok(
    texts.some((text) => /Math\.(floor|round|ceil)\(.*right.*\/ 2/.test(text)),
    texts.slice(0, 8).join("\n"),
  );
});

test("a missing guard is made of what the failing case expects", async () => {
  const source = `export function mean(xs: number[]): number {
  let sum = 0;
  for (const x of xs) sum += x;
  return sum / xs.length;
}
`;

  const texts = await found(source, [
    aCase("none", [[]], 0),
    aCase("two", [[1, 3]], 2),
    aCase("one", [[4]], 4),
    aCase("zeros", [[0, 0, 6]], 2),
  ]);

  assert.ok(
    texts.some((text) => /xs\.length === 0|xs\.length < 1|!xs\.length/.test(text)),
    texts.slice(0, 8).join("\n"),
  );
});

test("a skill that waits and asks is probed like any other", async () => {
  const source = `type Ctx = { kv: { get(key: string): Promise<number | null> } };
export async function next(step: number, ctx: Ctx): Promise<number> {
  const last = (await ctx.kv.get("last")) ?? 0;
  const other = last * step;
  return other;
}
`;
  const world = { kv: { last: 5 } };

  const texts = await found(
    source,
    [
      { ...aCase("later", [2], 7), world },
      { ...aCase("last", [3], 8), world },
      aCase("first", [2], 2),
    ],
    { capabilities: { kv: true }, enough: 2 },
  );

  assert.ok(texts.includes("last + step") || texts.includes("step + last"), texts.join("\n"));
});

test("a loop that turns very often is noted at its ends alone", async () => {
  const source = `export function sumTo(n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i += 1) sum += i;
  return sum;
}
`;
  const cases = [aCase("many", [9_000], 40_504_500), aCase("three", [3], 6), aCase("none", [0], 0)];
  const skill = await bench.skill(source, cases, {});
  const request = { skill, diagnosis: await bench.diagnose(skill), seed: 1, budgetMs: 60_000 };
  const signal = AbortSignal.timeout(60_000);
  const text = { text: source, language: "ts", entry: null } as const;
  const search = { suspicions: request.diagnosis.suspicions, limit: 32 };
  const probe = await bench.editor.probe(text, search, signal);
  assert.ok(probe);

  const recording = await recordingOf(probe, request, bench, signal);

  const known = recording.filter((noted) => noted !== null);
  assert.ok(known.length > 0);
  for (const { contexts, runs } of known) {
    assert.ok(contexts.length <= 120, `${contexts.length} contexts`);
    assert.ok(runs.every(({ from, to }) => from <= to && to <= contexts.length));
  }
  assert.ok(known.some(({ runs }) => runs.some(({ isComplete }) => !isComplete)));
});

test("a value that is another one under a condition is both", async () => {
  const source = `export function fee(weight: number, isMember: boolean): number {
  const base = weight * 2;
  return base;
}
`;

  const texts = await found(source, [
    aCase("member", [4, true], 0),
    aCase("other", [4, false], 8),
    aCase("light", [1, false], 2),
    aCase("light member", [1, true], 0),
  ]);

  assert.ok(texts.includes("isMember ? 0 : base"), texts.join("\n"));
});

test("what must be left out of a loop is left out", async () => {
  const source = `export function total(xs: number[], most: number): number {
  let sum = 0;
  for (const x of xs) {
    sum += x;
  }
  return sum;
}
`;

  const texts = await found(source, [
    aCase("above", [[3, 9, 4], 5], 7),
    aCase("below", [[1, 2], 5], 3),
    aCase("all above", [[8, 7], 5], 0),
    aCase("at most", [[5, 6, 1], 5], 6),
  ]);

  assert.ok(
    texts.some((text) => /^if \((most < x|x > most)\) continue; $/.test(text)),
    texts.join("\n"),
  );
});
