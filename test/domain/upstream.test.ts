import assert from "node:assert/strict";
import { test } from "node:test";
import { shapeOf } from "../../src/domain/answer-shape.ts";
import { endpointOf } from "../../src/domain/endpoint.ts";
import type { Json } from "../../src/domain/json.ts";
import { answered, isUsual, movedIn, UNKNOWN, type Upstream } from "../../src/domain/upstream.ts";

const after = (answers: readonly Json[], before: Upstream = UNKNOWN): Upstream =>
  answers.reduce((known: Upstream, answer) => answered(known, shapeOf(answer)), before);

const times = (count: number, of: (at: number) => Json): readonly Json[] =>
  Array.from({ length: count }, (_, at) => of(at));

const usual = (at: number): Json => ({
  id: `n${at}`,
  price: 12.5,
  tags: at % 3 === 0 ? [] : [{ name: "a", rank: at }],
  ...(at % 4 === 0 ? { note: "rare" } : {}),
});

test("answers that go on as they began have not moved", () => {
  const known = after(times(200, usual));

  assert.deepEqual(movedIn(known), []);
  assert.ok(isUsual(known));
});

for (const [what, changed, told] of [
  ["renamed", { id: "x", cost: 12.5, tags: [] }, ["$.cost is new", "$.price is missing"]],
  ["retyped", { id: "x", price: "12.50", tags: [] }, ["$.price is string now, was number"]],
  ["null", { id: "x", price: null, tags: [] }, ["$.price is null now, was number"]],
  [
    "wrapped",
    { data: { id: "x", price: 1, tags: [] } },
    ["$.data is new", "$.id is missing", "$.price is missing", "$.tags is missing"],
  ],
  [
    "gone within a list",
    { id: "x", price: 1, tags: [{ name: "a" }] },
    ["$.tags[].rank is missing"],
  ],
  [
    "new within a list",
    { id: "x", price: 1, tags: [{ name: "a", rank: 1, at: 2 }] },
    ["$.tags[].at is new"],
  ],
  ["another thing altogether", [1, 2], ["$ is list now, was object"]],
] as const) {
  test(`a member that is ${what} is told after five answers in a row`, () => {
    const known = after(times(20, usual));

    assert.deepEqual(
      movedIn(
        after(
          times(4, () => changed),
          known,
        ),
      ),
      [],
    );
    const moved = after(
      times(5, () => changed),
      known,
    );
    assert.deepEqual(movedIn(moved), told);
    assert.equal(isUsual(moved), false);
  });
}

test("a member that is there now and then is not missing, nor is one that comes and goes new", () => {
  const known = after(times(20, usual));
  const flickering = times(30, (at) =>
    at % 2 === 0 ? usual(1) : { ...(usual(1) as object), x: 1 },
  );

  assert.deepEqual(movedIn(after(flickering, known)), []);
});

test("an object that is a map of names has no members that are new or missing", () => {
  const rates = (at: number): Json => ({ rates: { [`c${at}`]: 1, [`d${at}`]: 2 } });

  assert.deepEqual(movedIn(after(times(60, rates))), []);
  const retyped = after(
    times(5, () => ({ rates: "none" })),
    after(times(20, rates)),
  );
  assert.deepEqual(movedIn(retyped), ["$.rates is string now, was object"]);
});

test("it is over when answers are as before, or when the new ones have been there for long", () => {
  const moved = after(
    times(5, () => ({ id: "x", cost: 1, tags: [] })),
    after(times(20, usual)),
  );

  assert.ok(isUsual(after(times(5, usual), moved)));
  const settled = after(
    times(200, () => ({ id: "x", cost: 1, tags: [] })),
    moved,
  );
  assert.ok(isUsual(settled));
  assert.deepEqual(movedIn(settled), []);
});

for (const [url, input, endpoint] of [
  ["https://api.test/v1/items/42?x=1", {}, "GET api.test/v1/items/{}"],
  ["https://api.test/v2.1/items/blue", { of: "blue" }, "GET api.test/v2.1/items/{}"],
  [
    "https://api.test/cities/S%C3%A3o%20Paulo",
    { city: { name: "São Paulo" } },
    "GET api.test/cities/{}",
  ],
  ["https://api.test:8443/", {}, "GET api.test:8443/"],
  ["https://api.test/%E0%A4", {}, "GET api.test/{}"],
] as const) {
  test(`what ${url} was for is ${endpoint}`, () => {
    assert.equal(endpointOf("get", url, input), endpoint);
  });
}

test("no URL is for nothing", () => {
  assert.equal(endpointOf("GET", "items/4", {}), null);
});

test("an answer of any size is looked at in bounds", () => {
  const deep = times(1, () => 1).concat([]);
  let nested: Json = deep;
  for (let level = 0; level < 100; level += 1) nested = { nested };
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`m${at}`, at]));

  assert.ok(shapeOf(nested).size <= 10);
  assert.ok(shapeOf(wide).size <= 300);
});
