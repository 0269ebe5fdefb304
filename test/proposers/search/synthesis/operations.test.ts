import assert from "node:assert/strict";
import test from "node:test";
import vm from "node:vm";
import * as fc from "../../../support/property.ts";
import type { Operation, Taken } from "../../../../src/proposers/search/synthesis/operation.ts";
import { memberOf } from "../../../../src/proposers/search/synthesis/operations-on-data.ts";
import { OPERATIONS } from "../../../../src/proposers/search/synthesis/operations.ts";
import {
  keyOfValue,
  NO_VALUE,
  type Value,
} from "../../../../src/proposers/search/synthesis/values.ts";

const texts = fc.oneof(fc.constantFrom("", " a b ", "abc", "Ab", ",", "length"), fc.string());
const numbers = fc.oneof(
  fc.integer({ min: -4, max: 12 }),
  fc.double({ noNaN: true, max: 1e6, min: -1e6 }),
);
const plain = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null), fc.constant(undefined));
const lists = fc.oneof(fc.array(numbers, { maxLength: 6 }), fc.array(plain, { maxLength: 5 }));
const objects = fc.dictionary(fc.constantFrom("a", "b", "length"), plain);
const any = fc.oneof(plain, lists, objects);

function valuesOf(taken: Taken): fc.Arbitrary<Value> {
  switch (taken) {
    case "number":
      return numbers;
    case "string":
      return texts;
    case "boolean":
      return fc.boolean();
    case "array":
      return lists;
    case "object":
      return objects;
    case "null":
      return fc.constant(null);
    case "undefined":
      return fc.constant(undefined);
    case "mixed":
    case "any":
      return any;
  }
}

/** What the engine makes of the text of an operation. */
function evaluated({ write, takes }: Operation, operands: readonly Value[]): Value {
  const names = takes.map((_, at) => `v${at}`);
  const run = vm.runInThisContext(`(${names.join()})=>(${write(...names)})`) as (
    ...values: readonly Value[]
  ) => Value;
  return run(...structuredClone(operands));
}

test("what an operation is said to give is what its text gives", () => {
  for (const operation of [...OPERATIONS, memberOf("a")]) {
    fc.assert(
      fc.property(fc.tuple(...operation.takes.map(valuesOf)), (operands) => {
        const given = operation.apply(...(operands as never[]));
        if (given === NO_VALUE) return;
        assert.equal(
          keyOfValue(given),
          keyOfValue(evaluated(operation, operands)),
          operation.write("x", "y", "z"),
        );
      }),
      { numRuns: 120 },
    );
  }
});

test("an operation changes none of its operands", () => {
  for (const operation of OPERATIONS) {
    fc.assert(
      fc.property(fc.tuple(...operation.takes.map(valuesOf)), (operands) => {
        const before = operands.map(keyOfValue);
        operation.apply(...(operands as never[]));
        assert.deepEqual(operands.map(keyOfValue), before);
      }),
      { numRuns: 40 },
    );
  }
});
