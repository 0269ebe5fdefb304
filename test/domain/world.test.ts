import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../src/domain/json.ts";
import type { Answer, Request, Step } from "../../src/domain/trace.ts";
import { DEFAULT_NOW, DEFAULT_SEED, environmentOf, worldOf } from "../../src/domain/world.ts";

const environment = { now: 1_000, seed: 7 };

type Exchange = {
  readonly kind: string;
  readonly args: Json;
  readonly value?: Json;
  readonly error?: string;
};

/** Steps in which each request is answered before the next is made. */
function oneByOne(exchanges: readonly Exchange[]): readonly Step[] {
  return exchanges.map(({ kind, args, value, error }, id) => {
    const answer: Answer =
      error === undefined
        ? { id, status: "resolved", value: value ?? null }
        : { id, status: "rejected", name: "TypeError", message: error, cause: "network" };
    return { requests: [{ id, kind, args }], answers: [answer], now: 1_000 + id };
  });
}

function fetched(url: string, status: number, body: string): Exchange {
  return { kind: "fetch", args: { url, method: "GET" }, value: { status, headers: {}, body } };
}

function get(id: number, url: string): Request {
  return { id, kind: "fetch", args: { url, method: "GET" } };
}

function ok(id: number): Answer {
  return { id, status: "resolved", value: { status: 200, headers: {}, body: "" } };
}

test("a case that names no clock and no seed has fixed ones", () => {
  assert.deepEqual(environmentOf({}), { now: DEFAULT_NOW, seed: DEFAULT_SEED });
  assert.deepEqual(environmentOf({ now: 5, seed: 0 }), { now: 5, seed: 0 });
});

test("a run that asked for nothing has a world of clock and seed alone", () => {
  assert.deepEqual(worldOf({ environment, steps: [] }), environment);
});

test("a URL that always gave one answer becomes one plain rule", () => {
  const steps = oneByOne([
    fetched("https://a.test/1", 200, "x"),
    fetched("https://a.test/1", 200, "x"),
  ]);

  assert.deepEqual(worldOf({ environment, steps }).fetch, [
    { match: "GET https://a.test/1", status: 200, headers: {}, body: "x" },
  ]);
});

test("a URL that changed its answer becomes counted rules, and stays with the last", () => {
  const steps = oneByOne([
    fetched("https://a.test/1", 429, "wait"),
    fetched("https://a.test/2", 200, "other"),
    fetched("https://a.test/1", 429, "wait"),
    fetched("https://a.test/1", 200, "now"),
  ]);

  assert.deepEqual(
    worldOf({ environment, steps }).fetch?.map(({ match, status, times }) => [
      match,
      status,
      times,
    ]),
    [
      ["GET https://a.test/1", 429, 2],
      ["GET https://a.test/1", 200, undefined],
      ["GET https://a.test/2", 200, undefined],
    ],
  );
});

test("a request that failed becomes a rule with its message", () => {
  const args = { url: "https://a.test/1", method: "post" };
  const steps = oneByOne([{ kind: "fetch", args, error: "fetch failed: ECONNRESET" }]);

  assert.deepEqual(worldOf({ environment, steps }).fetch, [
    { match: "POST https://a.test/1", error: "fetch failed: ECONNRESET" },
  ]);
});

test("answers that overtook one another keep their order by ticks", () => {
  const steps = [
    {
      requests: [get(1, "https://a.test/slow"), get(2, "https://a.test/fast")],
      answers: [ok(2)],
      now: 1,
    },
    { requests: [get(3, "https://a.test/mid")], answers: [ok(3)], now: 2 },
    { requests: [], answers: [ok(1)], now: 3 },
  ];

  assert.deepEqual(
    worldOf({ environment, steps }).fetch?.map(({ match, ticks }) => [match, ticks]),
    [
      ["GET https://a.test/slow", 2],
      ["GET https://a.test/fast", undefined],
      ["GET https://a.test/mid", undefined],
    ],
  );
});

test("a request that was never answered leaves no rule", () => {
  const steps = [{ requests: [get(1, "https://a.test/1")], answers: [], now: 1 }];

  assert.deepEqual(worldOf({ environment, steps }), environment);
});

test("key-value state is what was there before the run wrote", () => {
  const steps = oneByOne([
    { kind: "kv.get", args: { key: "read" }, value: { n: 1 } },
    { kind: "kv.get", args: { key: "absent" }, value: null },
    { kind: "kv.set", args: { key: "written", value: 1 } },
    { kind: "kv.get", args: { key: "written" }, value: 1 },
    { kind: "kv.set", args: { key: "read", value: 2 } },
    { kind: "kv.get", args: { key: "read" }, value: 2 },
    { kind: "kv.list", args: { prefix: "" }, value: ["listed", "read", "written"] },
    { kind: "kv.get", args: { key: "later" }, value: "x" },
    { kind: "kv.list", args: { prefix: "l" }, value: ["later", "listed"] },
  ]);

  assert.deepEqual(worldOf({ environment, steps }).kv, {
    read: { n: 1 },
    listed: null,
    later: "x",
  });
});

test("other skills answer as they did at first", () => {
  const call = (name: string, n: number, more: Partial<Exchange>): Exchange => ({
    kind: "skills.call",
    args: { name, input: { n } },
    ...more,
  });
  const steps = oneByOne([
    call("one", 1, { value: "a" }),
    call("one", 1, { value: "b" }),
    call("one", 2, { error: "no" }),
    call("two", 1, { value: null }),
  ]);

  assert.deepEqual(worldOf({ environment, steps }).skills, {
    one: [
      { input: { n: 1 }, result: "a" },
      { input: { n: 2 }, error: "no" },
    ],
    two: [{ input: { n: 1 }, result: null }],
  });
});

test("an answer that says to come back later holds as often as it was told, and no longer", () => {
  const busy = fetched("https://a.test/", 429, "busy");
  const down = fetched("https://b.test/", 503, "down");
  const later = {
    ...fetched("https://c.test/", 503, "later"),
    value: { status: 503, headers: { "retry-after": "1" }, body: "later" },
  };

  const { fetch = [] } = worldOf({ environment, steps: oneByOne([busy, busy, down, later]) });

  assert.deepEqual(
    fetch.map(({ match, times }) => [match, times]),
    [
      ["GET https://a.test/", 2],
      ["GET https://b.test/", undefined],
      ["GET https://c.test/", 1],
    ],
  );
});
