import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "../../support/property.ts";
import { usualArguments } from "../../../src/proposers/search/domain-of-cases.ts";
import {
  brokenBy,
  likelyRelations,
  type Example,
} from "../../../src/proposers/search/relations.ts";

suite("likely relations", () => {
  test("what all results keep is found, with the number of those that speak for it", () => {
    const relations = likelyRelations([
      { args: [[3, 1, 2], 2], value: [1, 2] },
      { args: [[5, 5, 1, 0], 3], value: [0, 1, 5] },
      { args: [[], 3], value: [] },
    ]);

    const told = new Map(relations.map(({ says, support }) => [says, support]));
    assert.equal(told.get("result rises"), 2);
    assert.equal(told.get("result is no longer than argument 1"), 3);
    assert.equal(told.get("result takes its parts, each once, from argument 1"), 2);
    assert.equal(told.has("result is as long as argument 1"), false);
  });

  test("a result that breaks them is told which", () => {
    const relations = likelyRelations([
      { args: ["Hello World"], value: "hello-world" },
      { args: ["A b"], value: "a-b" },
    ]);

    const broken = brokenBy(relations, { args: ["New Thing"], value: "New-Thing" });

    assert.deepEqual(
      broken.map(({ says, about }) => [about, says]),
      [["shape", "result has no capitals"]],
    );
  });

  test("members of results and arguments have relations of their own", () => {
    const relations = likelyRelations([
      { args: [{ size: 3 }], value: { kept: 2, names: ["a"] } },
      { args: [{ size: 5 }], value: { kept: 5, names: ["b", "c"] } },
    ]);

    const broken = brokenBy(relations, {
      args: [{ size: 1 }],
      value: { kept: 4, names: [1, null] },
    });

    const told = broken.map(({ says }) => says);
    assert.ok(told.includes("result.kept is at most argument 1.size"));
    assert.ok(told.includes("result.names has members of the known kinds"));
  });

  test("a missing value inside a result is a kind that was not seen", () => {
    const relations = likelyRelations([{ args: [1], value: [1, 2] }]);

    const broken = brokenBy(relations, { args: [1], value: [1, null] });

    assert.ok(broken.some(({ says }) => says === "result has members of the known kinds"));
  });

  test("no example breaks what it was inferred from", () => {
    fc.assert(
      fc.property(fc.array(examples(), { minLength: 1, maxLength: 6 }), (known) => {
        const relations = likelyRelations(known);

        for (const example of known) assert.deepEqual(brokenBy(relations, example), []);
      }),
    );
  });

  test("more examples leave no more relations of the same variables", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer()), { minLength: 1, maxLength: 5 }),
        fc.array(fc.integer()),
        (lists, more) => {
          const example = (list: readonly number[]): Example => ({ args: [list], value: list });
          const few = new Set(likelyRelations(lists.map(example)).map(({ says }) => says));
          const many = likelyRelations([...lists, more].map(example));

          const isNew = many.filter(({ says, support }) => support > 1 && !few.has(says));

          assert.deepEqual(isNew, []);
        },
      ),
    );
  });

  test("a sorting keeps all parts, rises, and is as long as what is sorted", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer(), { minLength: 2 }), { minLength: 1 }), (lists) => {
        const known = lists.map((list) => ({
          args: [list],
          value: list.toSorted((a, b) => a - b),
        }));

        const told = new Set(likelyRelations(known).map(({ says }) => says));

        assert.ok(told.has("result rises"));
        assert.ok(told.has("result keeps all parts of argument 1"));
        assert.ok(told.has("result is as long as argument 1"));
      }),
    );
  });
});

suite("usual arguments", () => {
  test("lists that always come in order are not usual out of order", () => {
    const isUsual = usualArguments([{ args: [[1, 2]] }, { args: [[2, 5, 9]] }, { args: [[0, 3]] }]);

    assert.equal(isUsual([[4, 6]]), true);
    assert.equal(isUsual([[6, 4]]), false);
  });

  test("two cases forbid nothing", () => {
    const isUsual = usualArguments([{ args: [[1, 2]] }, { args: [[2, 5, 9]] }]);

    assert.equal(isUsual([[6, 4]]), true);
  });
});

function examples(): fc.Arbitrary<Example> {
  const value = fc.jsonValue({ maxDepth: 3 });
  return fc.record({ args: fc.array(value, { maxLength: 3 }), value });
}
