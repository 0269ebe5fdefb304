import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../src/domain/json.ts";
import { canonical } from "../../../src/domain/json.ts";
import { kindOf } from "../../../src/proposers/search/behaviour.ts";
import { generatedQuestions, literalsOf } from "../../../src/proposers/search/inputs.ts";
import { aCase } from "../../support/proposing.ts";

const cases = [
  aCase("a", [[3, 1], "red", { on: true }], 1),
  aCase("b", [[7], "blue green", { on: false }], 2),
];

test("the same seed gives the same questions, another one others", () => {
  const source = "x > 42";

  const one = generatedQuestions({ cases, source, seed: 1 }, 30);

  assert.deepEqual(generatedQuestions({ cases, source, seed: 1 }, 30), one);
  assert.notDeepEqual(generatedQuestions({ cases, source, seed: 2 }, 30), one);
});

test("no question is a visible case, and none comes twice", () => {
  const made = generatedQuestions({ cases, source: "", seed: 3 }, 60);

  const keys = made.map(({ args }) => canonical(args));
  assert.equal(new Set(keys).size, 60);
  assert.ok(cases.every(({ args }) => !keys.includes(canonical(args))));
});

test("arguments keep their kinds, so that a skill may be asked", () => {
  const made = generatedQuestions({ cases, source: "", seed: 4 }, 60);

  for (const { args } of made) {
    assert.deepEqual(args.map(kindOf), ["array", "string", "object"]);
    assert.ok((args[0] as Json[]).every((item) => typeof item === "number"));
  }
});

test("numbers and texts of the source are among the inputs", () => {
  const source = 'if (size > 4711) return "zebra";';
  const of = [aCase("n", [5, "x"], 1)];

  const made = generatedQuestions({ cases: of, source, seed: 5 }, 100);

  assert.deepEqual(literalsOf(source), [4711, "zebra"]);
  assert.ok(made.some(({ args }) => [4710, 4711, 4712].includes(args[0] as number)));
  assert.ok(made.some(({ args }) => args[1] === "zebra"));
});

test("where a case has a world, its answers vary too, inside JSON texts as well", () => {
  const world = {
    fetch: [{ match: "GET https://api.test/a", body: JSON.stringify({ count: 3, next: "b" }) }],
  };
  const of = [{ ...aCase("w", ["x"], 1), world }];

  const made = generatedQuestions({ cases: of, source: "", seed: 6 }, 60);

  const bodies = made.map((one) => one.world.fetch?.[0]?.body);
  assert.ok(bodies.some((body) => typeof body === "string" && body.includes('"count":4')));
  assert.ok(made.some((one) => one.world.fetch?.[0]?.status === 503));
});

test("cases without arguments and world leave nothing to ask", () => {
  const of = [aCase("none", [], 1)];

  assert.deepEqual(generatedQuestions({ cases: of, source: "", seed: 7 }, 10), []);
  assert.deepEqual(generatedQuestions({ cases: [], source: "", seed: 7 }, 10), []);
});

test("edges are asked: nothing, one, all alike, in order, and more than any case has", () => {
  const of = [aCase("list", [[4, 1, 3]], 1), aCase("other", [[2, 7]], 1)];

  const lists = generatedQuestions({ cases: of, source: "", seed: 8 }, 80).map(
    ({ args }) => args[0] as number[],
  );

  assert.ok(lists.some((list) => list.length === 0));
  assert.ok(lists.some((list) => list.length > 8));
  assert.ok(lists.some((list) => list.length > 1 && new Set(list).size === 1));
});

test("most questions keep what the arguments of all cases keep", () => {
  const sorted = [
    [1, 2],
    [2, 5, 9],
    [0, 3],
    [4, 6, 7, 8],
  ];
  const of = sorted.map((list, at) => aCase(`sorted ${at}`, [list], 1));

  const made = generatedQuestions({ cases: of, source: "", seed: 9 }, 64);

  const rising = made.filter(({ args }) => {
    const list = args[0] as number[];
    return list.every((one, at) => at === 0 || (list[at - 1] ?? 0) <= one);
  });
  assert.equal(made.length, 64);
  assert.ok(rising.length > made.length / 2);
});
