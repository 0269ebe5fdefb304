import assert from "node:assert/strict";
import test from "node:test";
import type { Noted, NotedRun } from "../../../../src/ports/editor.ts";
import { PRECEDENCE } from "../../../../src/proposers/search/precedence.ts";
import { Fit } from "../../../../src/proposers/search/synthesis/fit.ts";
import { guardsOf } from "../../../../src/proposers/search/synthesis/guard-fit.ts";
import { OPERATIONS } from "../../../../src/proposers/search/synthesis/operations.ts";
import { constant, Terms } from "../../../../src/proposers/search/synthesis/terms.ts";
import type { Value } from "../../../../src/proposers/search/synthesis/values.ts";

const LIMITS = { cost: 8, work: 40_000, classes: 2_000 };

function termsOf(names: Readonly<Record<string, readonly Value[]>>): Terms {
  const leaves = Object.entries(names).map(([text, values]) => ({
    text,
    binds: PRECEDENCE.member,
    cost: 2,
    values,
  }));
  const amount = Object.values(names)[0]?.length ?? 0;
  return new Terms([...leaves, constant("0", 0, 3, amount)], OPERATIONS, LIMITS);
}

const run = (from: number, to: number, of: Partial<NotedRun> = {}): NotedRun => ({
  from,
  to,
  passed: true,
  isComplete: true,
  isForced: false,
  ...of,
});

/** Contexts of one name, with what the hole was in each. */
function noted(was: readonly (number | boolean)[], runs: readonly NotedRun[]): Noted {
  const contexts = was.map((value) => ({ atoms: [], was: value }));
  return { contexts, runs, isExhaustive: false };
}

test("an expression that leaves a failing case as it was cannot help", () => {
  const terms = termsOf({ a: [1, 2, 3] });
  const of = noted([1, 2, 3], [run(0, 2, { passed: false }), run(2, 3)]);
  const fit = new Fit(of, terms, { isCondition: false, isResult: false });

  const score = (...values: number[]): number =>
    fit.of({ vector: values.map((value) => terms.idOf(value)) });

  assert.equal(score(1, 2, 9), 0);
  assert.ok(score(1, 9, 3) > score(1, 9, 9));
  assert.ok(score(1, 9, 9) > 0);
});

test("what is given back must be what the case expects", () => {
  const terms = termsOf({ a: [1, 2] });
  const runs = [run(0, 1, { passed: false, expected: 7 }), run(1, 2, { expected: 2 })];
  const fit = new Fit(noted([1, 2], runs), terms, { isCondition: false, isResult: true });

  const score = (...values: number[]): number =>
    fit.of({ vector: values.map((value) => terms.idOf(value)) });

  assert.equal(score(6, 2), 0);
  assert.equal(score(7, 3), 0);
  assert.equal(score(7, 2), 1);
});

test("where every value was tried by force, only one that helped will do", () => {
  const terms = termsOf({ a: [1, 2] });
  const runs = [run(0, 1, { passed: false }), run(1, 2, { isForced: true })];
  const some = { ...noted([false, true], runs), isExhaustive: true };
  const fit = new Fit(some, terms, { isCondition: true, isResult: false });
  const [yes, no] = [terms.idOf(true), terms.idOf(false)];

  assert.ok(fit.of({ vector: [yes, yes] }) > 0);
  assert.equal(fit.of({ vector: [yes, no] }), 0);
});

test("a guard answers what is expected where it holds, and holds in every failing case", () => {
  const terms = termsOf({ n: [0, 4, 5], sum: [0, 8, 5] });
  const runs = [
    run(0, 1, { passed: false, expected: 0 }),
    run(1, 2, { expected: 2 }),
    run(2, 3, { expected: 1 }),
  ];

  const guards = guardsOf(terms, noted([0, 0, 0], runs));
  const written = guards.map(({ condition, result }) => `${condition.best.text} ? ${result.text}`);

  assert.ok(
    written.includes("n === 0 ? 0") || written.includes("n === sum ? 0") || written.length > 0,
  );
  for (const { condition, result } of guards) {
    const [holds, ...others] = terms.valuesOf(condition.best);
    assert.equal(holds, true);
    assert.equal(terms.valuesOf(result)[0], 0);
    const expected = [2, 1];
    for (const [at, other] of others.entries()) {
      if (other === true) assert.equal(terms.valuesOf(result)[at + 1], expected[at]);
    }
  }
});
