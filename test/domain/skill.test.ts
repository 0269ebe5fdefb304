import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "../support/property.ts";
import { argumentsOf, inputOf, type Signature } from "../../src/domain/skill.ts";

test("arguments stand in the order of the signature, whatever that of the input", () => {
  assert.deepEqual(argumentsOf(aSignature("a", "b"), { b: 2, a: 1 }), [1, 2]);
});

test("absent arguments at the end are left out, one in the middle is null", () => {
  const signature = aSignature("a", "b", "c");

  assert.deepEqual(argumentsOf(signature, { a: 1 }), [1]);
  assert.deepEqual(argumentsOf(signature, { a: 1, c: 3 }), [1, null, 3]);
  assert.deepEqual(argumentsOf(signature, {}), []);
});

test("null is an argument, also at the end", () => {
  assert.deepEqual(argumentsOf(aSignature("a", "b"), { a: 1, b: null }), [1, null]);
});

test("names that objects inherit are not in an input", () => {
  assert.deepEqual(argumentsOf(aSignature("constructor", "toString"), {}), []);
});

test("members that are no parameters are not passed", () => {
  assert.deepEqual(argumentsOf(aSignature("a"), { a: 1, z: 2 }), [1]);
});

test("positional arguments survive being named", () => {
  const args = fc.array(fc.jsonValue(), { maxLength: 4 });
  fc.assert(
    fc.property(args, (args) => {
      const signature = aSignature("a", "b", "c", "d");
      assert.deepEqual(argumentsOf(signature, inputOf(signature, args)), args);
    }),
  );
});

test("arguments beyond the signature have no name", () => {
  assert.deepEqual(inputOf(aSignature("a"), [1, 2]), { a: 1 });
});

function aSignature(...names: readonly string[]): Signature {
  const parameters = names.map((name) => ({ name, optional: true, schema: {} }));
  return { name: "skill", parameters, takesCtx: false, isAsync: false };
}
