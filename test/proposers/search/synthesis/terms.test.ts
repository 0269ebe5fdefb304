import assert from "node:assert/strict";
import test from "node:test";
import vm from "node:vm";
import * as fc from "../../../support/property.ts";
import { PRECEDENCE } from "../../../../src/proposers/search/precedence.ts";
import { OPERATIONS } from "../../../../src/proposers/search/synthesis/operations.ts";
import { constant, Terms, type Leaf } from "../../../../src/proposers/search/synthesis/terms.ts";
import {
  keyOfValue,
  NO_VALUE,
  type Value,
} from "../../../../src/proposers/search/synthesis/values.ts";

const LIMITS = { cost: 8, work: 60_000, classes: 2_000 };

function named(text: string, values: Leaf["values"]): Leaf {
  return { text, binds: PRECEDENCE.member, cost: 2, values };
}

function classOf(terms: Terms, values: readonly Value[]): string | undefined {
  const wanted = values.map(keyOfValue).join("|");
  return terms.classes.find(({ best }) => terms.valuesOf(best).map(keyOfValue).join("|") === wanted)
    ?.best.text;
}

test("every expression has the values that the engine gives its text", () => {
  const rows = fc.array(
    fc.record({
      a: fc.integer({ min: -5, max: 9 }),
      b: fc.integer({ min: -5, max: 9 }),
      s: fc.constantFrom("", "ab", "abc def", "x"),
      xs: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(rows, (contexts) => {
      const leaves = (["a", "b", "s", "xs"] as const).map((name) =>
        named(
          name,
          contexts.map((row) => row[name]),
        ),
      );
      const terms = new Terms([...leaves, constant("-1", -1, 3, contexts.length)], OPERATIONS, {
        ...LIMITS,
        work: 20_000,
      });
      for (const { best, others } of terms.classes) {
        for (const term of [best, ...others]) {
          const run = vm.runInThisContext(`(({a,b,s,xs})=>(${term.text}))`) as (
            row: object,
          ) => Value;
          const expected = contexts.map((row) => keyOfValue(run(row)));
          assert.deepEqual(terms.valuesOf(term).map(keyOfValue), expected, term.text);
        }
      }
    }),
    { numRuns: 12 },
  );
});

test("one expression stands for all of the same values, and it is the cheapest", () => {
  const terms = new Terms(
    [named("a", [1, 2, 3]), named("b", [5, 1, 3]), constant("1", 1, 3, 3)],
    OPERATIONS,
    LIMITS,
  );
  const keys = terms.classes.map(({ best }) => best.vector.join());

  assert.equal(new Set(keys).size, keys.length);
  assert.equal(classOf(terms, [1, 2, 3]), "a");
  assert.equal(classOf(terms, [5, 2, 3]), "Math.max(a, b)");
  for (const { best, others } of terms.classes) {
    for (const other of others) assert.ok(other.cost >= best.cost, `${best.text} ${other.text}`);
  }
});

test("finds the middle of two numbers", () => {
  const terms = new Terms(
    [named("left", [0, 0, 3, 4]), named("right", [5, 2, 5, 5]), constant("2", 2, 3, 4)],
    OPERATIONS,
    { cost: 14, work: 400_000, classes: 8_000 },
  );

  assert.match(
    classOf(terms, [2, 1, 4, 4]) ?? "",
    /Math\.floor\(\((left \+ right|right \+ left)\) \/ 2\)/,
  );
});

test("an expression that has no value somewhere is none", () => {
  const terms = new Terms([named("a", [1, NO_VALUE]), named("b", [2, 3])], OPERATIONS, LIMITS);

  assert.ok(terms.classes.every(({ best }) => !/\ba\b/.test(best.text)));
});

test("ends within its work, whatever it is made of", () => {
  const many = Array.from({ length: 40 }, (_, at) => named(`n${at}`, [at, at * 7, -at]));
  const terms = new Terms(many, OPERATIONS, { cost: 30, work: 20_000, classes: 500 });

  assert.ok(terms.classes.length <= 501);
});
