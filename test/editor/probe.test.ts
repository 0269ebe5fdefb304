import assert from "node:assert/strict";
import test from "node:test";
import vm from "node:vm";
import type { Json } from "../../src/domain/json.ts";
import { probe, synthesise } from "../../src/editor/probe.ts";
import type { ProbePlan } from "../../src/proposers/search/synthesis/recorder.ts";

const SEARCH = { suspicions: [], limit: 32 };
const PLAN: ProbePlan = {
  watch: Array.from({ length: 32 }, () => 1),
  keep: [],
  force: null,
  fuel: 2_000,
};

function source(text: string): Parameters<typeof probe>[0] {
  return { text, language: "ts", entry: null };
}

/** What a probe of a source says of one call. */
function said(text: string, plan: ProbePlan, ...args: readonly Json[]): Record<string, Json> {
  const made = probe(source(text), SEARCH);
  assert.ok(made);
  const { program } = made;
  const call = `${program.entry}(...JSON.parse(${JSON.stringify(JSON.stringify([plan, ...args]))}))`;
  const run: unknown = vm.runInNewContext(
    `"use strict";${program.text};${call}`,
    {},
    { timeout: 5_000 },
  );
  return JSON.parse(JSON.stringify(run)) as Record<string, Json>;
}

const RISING = `export function rising(xs: number[], strict: boolean): number {
  let best = 0;
  for (let i = 0; i < xs.length; i += 1) {
    const x: number = xs[i]!;
    if (strict && x > best) best = x;
    else best = Math.max(best, x as number);
  }
  return best > 0 ? best : -1;
}
`;

test("a probe gives back what the skill gives back, and notes what is in scope", () => {
  const made = probe(source(RISING), SEARCH);
  const keep = (made?.holes ?? []).map((): [number, number] => [4, 1_000]);

  const { outcome, counts, notes } = said(RISING, { ...PLAN, keep }, [3, 9, 2], true);

  assert.deepEqual(outcome, ["returned", 9]);
  assert.equal((counts as number[]).length, made?.holes.length);
  assert.ok((notes as Json[]).length > 6);
});

test("holes are where the source says they are", () => {
  const { holes } = probe(source(RISING), SEARCH) ?? { holes: [] };
  const texts = holes.map(({ start, end }) => RISING.slice(start, end));

  for (const text of [
    "strict && x > best",
    "x > best",
    "i < xs.length",
    "Math.max(best, x as number)",
  ]) {
    assert.ok(texts.includes(text), text);
  }
  assert.ok(holes.some(({ kind }) => kind === "guard"));
  assert.ok(!texts.includes("strict: boolean"));
});

test("code that never ends is ended by its fuel, and what was noted is told", () => {
  const endless =
    "export function f(n: number): number { let i = 0; while (i < n) i += 0; return i; }";
  const made = probe(source(endless), SEARCH);
  const keep = (made?.holes ?? []).map((): [number, number] => [2, 1e9]);

  const { outcome, notes } = said(endless, { ...PLAN, keep }, 1);

  assert.deepEqual(outcome, ["spent"]);
  assert.ok((notes as Json[]).length > 0);
});

test("a name's own value is not read before it is there", () => {
  const text =
    "export function f(a: number): number { const b = a + 1; const c = b * 2; return c; }";
  const made = probe(source(text), SEARCH);
  const keep = (made?.holes ?? []).map((): [number, number] => [4, 1e9]);

  assert.deepEqual(said(text, { ...PLAN, keep }, 1)["outcome"], ["returned", 4]);
});

test("classes, generators, promises and nested functions are carried", () => {
  const text = `class Box { #n = 1; get n(): number { return this.#n; } }
function* upTo(n: number): Generator<number> { for (let i = 0; i < n; i += 1) yield i; }
export async function f(n: number): Promise<number> {
  const box = new Box();
  const inner = (k: number): number => k + box.n;
  let sum = 0;
  for (const i of upTo(n)) sum += inner(await Promise.resolve(i));
  return sum;
}
`;
  const made = probe(source(text), SEARCH);
  assert.ok(made);
  assert.ok(made.holes.length > 6);
});

test("a source that uses the probe's names, or does not parse, has none", () => {
  assert.equal(probe(source("export function f(): number { return __hone_at; }"), SEARCH), null);
  assert.equal(probe(source("export function f( {"), SEARCH), null);
});

test("what is made for a hole is spliced into the source and the program alike", () => {
  const text = `export function f(a: string, b: string): boolean {
  return (a as string) === b;
}
`;
  const made = probe(source(text), SEARCH);
  const hole = made?.holes.findIndex(({ kind }) => kind === "value") ?? -1;
  const asked = [
    ["x", "y", true],
    ["xx", "x", false],
    ["y", "x", true],
    ["x", "xy", false],
  ] as const;
  const contexts = asked.map(([a, b]) => ({ atoms: [a, b], was: false }));
  const runs = asked.map(([, , expected], from) => ({
    from,
    to: from + 1,
    passed: !expected,
    isComplete: true,
    isForced: false,
    expected,
  }));

  const mutations = synthesise(
    source(text),
    { ...SEARCH, hole, work: 200_000 },
    { contexts, runs, isExhaustive: false },
  );

  const best = mutations.find(({ program }) => program.text.includes("a.length === b.length"));
  assert.ok(
    best,
    mutations
      .map(({ edits }) => JSON.stringify(edits))
      .slice(0, 5)
      .join("\n"),
  );
  assert.equal(best.operator, "synthesise-value");
  assert.doesNotMatch(best.program.text, /as string/);
});
