import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Request } from "../../src/domain/trace.ts";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import {
  aCall,
  anExecution,
  answeringHost,
  deafHost,
  execute,
  NOW,
  outcomeOf,
  rejected,
  resolved,
  resultOf,
  statusesOf,
} from "../support/executions.ts";
import { siftContract } from "./sift.contract.ts";

/** What every sandbox does, by `src/ports/sandbox.ts`. */
export function sandboxContract(name: string, make: () => Sandbox): void {
  suite(`${name}: a sandbox`, () => {
    const sandbox = make();
    after(() => sandbox[Symbol.asyncDispose]());

    values(sandbox);
    failures(sandbox);
    capabilities(sandbox);
    time(sandbox);
    sequences(sandbox);
    endings(sandbox);
    if (sandbox.sift !== undefined) siftContract(sandbox);
    closing(make);
  });
}

function values(sandbox: Sandbox): void {
  test("returns what the skill returns, as plain data", async () => {
    const value = { text: "ä\u2028\ud83d\ude00", list: [1, -0.5, 1e21, null, true], none: {} };

    const outcome = await outcomeOf(sandbox, "function skill(value) { return value }", {
      args: [value],
    });

    assert.deepEqual(outcome, { status: "returned", value });
  });

  test("reads undefined as JSON does: null, absent, null", async () => {
    const text =
      "function skill(which) { return [undefined, {a: undefined, b: 1}, [undefined, , 1]][which] }";

    const results = await execute(
      sandbox,
      anExecution(text, { calls: [0, 1, 2].map((at) => aCall({ args: [at] })) }),
    );

    const returned = results.map(({ trace: { outcome } }) => "value" in outcome && outcome.value);
    assert.deepEqual(returned, [null, { b: 1 }, [null, null, 1]]);
  });

  test("takes instances with plain data, and data shared by two members", async () => {
    const text = `class Point { constructor() { this.x = 1; } get length() { return 2; } }
      function skill() { const one = {n: 1}; return [new Point(), one, one, Object.create(null)]; }`;

    const outcome = await outcomeOf(sandbox, text);

    assert.deepEqual(outcome, { status: "returned", value: [{ x: 1 }, { n: 1 }, { n: 1 }, {}] });
  });

  const unfit: readonly (readonly [result: string, path: string, reason: RegExp])[] = [
    ["() => 1", "result", /a function/],
    ["Symbol('s')", "result", /a symbol/],
    ["10n", "result", /a BigInt/],
    ["NaN", "result", /NaN/],
    ["-Infinity", "result", /-Infinity/],
    ["{items: [1, 2, () => 1]}", "result.items[2]", /a function/],
    ["{'a b': {c: NaN}}", 'result["a b"].c', /NaN/],
    ["(() => { const a = {b: {}}; a.b.c = a; return a })()", "result.b.c", /a cycle/],
    ["{get x() { throw 1 }}", "result.x", /an accessor/],
    ['JSON.parse(\'{"__proto__": {"a": 1}}\')', "result.__proto__", /forbidden/],
    ["{constructor: 1}", "result.constructor", /forbidden/],
    ["[new Date(0)]", "result[0]", /a Date/],
    ["{map: new Map()}", "result.map", /a Map/],
    ["new (class Bag extends Set {})()", "result", /a Set/],
    ["new Uint8Array(3)", "result", /TypedArray/],
    ["new Error('e')", "result", /an? Error/],
    ["Object(5)", "result", /a Number/],
    ["{a: {toJSON() { return 1 }}}", "result.a.toJSON", /a function/],
    ["new (class Money { toJSON() { return 1 } })()", "result", /toJSON/],
    ["new Proxy({}, {ownKeys() { throw 1 }})", "result", /could not be read/],
  ];
  for (const [result, path, reason] of unfit) {
    test(`says where a result is not plain data (B50): ${result}`, async () => {
      const outcome = await outcomeOf(sandbox, `function skill() { return (${result}) }`);

      assert.equal(outcome.status, "bad-result");
      assert.equal(outcome.path, path);
      assert.match(outcome.reason, reason);
    });
  }

  test("refuses what is nested deeper than 64 levels, and takes 64", async () => {
    const text =
      "function skill(n) { let deep = 1; for (let i = 0; i < n; i++) deep = [deep]; return deep }";

    const results = await execute(
      sandbox,
      anExecution(text, { calls: [64, 65, 50_000].map((n) => aCall({ args: [n] })) }),
    );

    assert.deepEqual(statusesOf(results), ["returned", "bad-result", "bad-result"]);
  });

  test("refuses what is made of more parts than a host reads, and takes a large list of numbers", async () => {
    const text =
      "function skill(n, numbers) { return Array.from({ length: n }, () => (numbers ? 1 : [])) }";
    const limits = { outputBytes: 4_000_000, timeoutMs: 20_000 };

    const results = await execute(
      sandbox,
      anExecution(text, {
        limits,
        calls: [
          [600_000, true],
          [200_000, false],
          [250_001, false],
        ].map((args) => aCall({ args })),
      }),
    );

    assert.deepEqual(statusesOf(results), ["returned", "returned", "bad-result"]);
  });

  test("measures the result as UTF-8 JSON", async () => {
    const text = "function skill(text, n) { return text.repeat(n) }";
    const limits = { outputBytes: 3_002 };

    const results = await execute(
      sandbox,
      anExecution(text, {
        limits,
        calls: [
          ["a", 3_000],
          ["a", 3_001],
          ["€", 1_000],
          ["€", 1_001],
          ["😀", 750],
          ["😀", 751],
          ["x", 3e8],
        ].map((args) => aCall({ args })),
      }),
    );

    const expected = ["returned", "bad-result"];
    assert.deepEqual(statusesOf(results), [...expected, ...expected, ...expected, "bad-result"]);
  });
}

function failures(sandbox: Sandbox): void {
  test("tells what was thrown, and where in the program", async () => {
    const text =
      "function skill() { return inner() }\nfunction inner() {\n  throw new TypeError('no') }";

    const outcome = await outcomeOf(sandbox, text);

    assert.deepEqual(outcome, {
      status: "threw",
      error: {
        name: "TypeError",
        message: "no",
        frames: [
          { function: "inner", line: 3, column: 9 },
          { function: "skill", line: 1, column: 27 },
        ],
      },
    });
  });

  test("places the first line of plain scripts and of modules alike", async () => {
    const text = "function skill() { throw new Error('no') }";

    const strict = await outcomeOf(sandbox, text);
    const sloppy = await outcomeOf(sandbox, text, { program: { strict: false } });

    assert.deepEqual(strict, sloppy);
  });

  const thrown: readonly (readonly [text: string, name: string, message: string])[] = [
    ["throw null", "object", "null"],
    ["throw 'text'", "string", "text"],
    ["throw undefined", "undefined", "undefined"],
    ["throw {name: 'Odd', message: 'plain'}", "Odd", "plain"],
    ["throw {code: 4}", "Object", '{"code":4}'],
    ["class MyError extends Error { name = 'MyError' } throw new MyError('own')", "MyError", "own"],
    ["throw {get message() { for (;;); }, get stack() { for (;;); }}", "Object", ""],
    ["throw Object.defineProperty(new Error('e'), 'stack', {get() { for (;;); }})", "Error", "e"],
    ["throw new Proxy({}, {get() { for (;;); }})", "Object", "{}"],
    ["Error.prepareStackTrace = () => { for (;;); }; throw new Error('e')", "Error", "e"],
    [
      "throw new Error('Isolate was disposed during execution due to memory limit')",
      "Error",
      "Isolate was disposed during execution due to memory limit",
    ],
    ["throw new Error('Script execution timed out.')", "Error", "Script execution timed out."],
  ];
  for (const [text, name, message] of thrown) {
    test(`reads a thrown value without running it: ${text.slice(0, 60)}`, async () => {
      const outcome = await outcomeOf(sandbox, `function skill() { ${text} }`);

      assert.equal(outcome.status, "threw");
      assert.equal(outcome.error.name, name);
      assert.match(outcome.error.message, message === "" ? /accessor|^$/ : /./);
      if (message !== "") assert.equal(outcome.error.message, message);
    });
  }

  test("voids a run that leaves a rejected promise alone", async () => {
    const text = "function skill() { Promise.reject(new RangeError('left')); return 7 }";

    const outcome = await outcomeOf(sandbox, text);

    assert.equal(outcome.status, "unhandled-rejection");
    assert.equal(outcome.error.name, "RangeError");
    assert.equal(outcome.error.message, "left");
  });

  test("lets a rejected promise be looked at later in the turn", async () => {
    const text = `async function skill() {
      const failing = Promise.reject(new Error("looked at"));
      await null;
      return failing.catch((error) => error.message);
    }`;

    assert.deepEqual(await outcomeOf(sandbox, text), { status: "returned", value: "looked at" });
  });

  test("says that a program does not load", async () => {
    const broken = await outcomeOf(sandbox, "function skill( {");
    const throwing = await outcomeOf(sandbox, "throw new Error('at load'); function skill() {}");
    const absent = await outcomeOf(sandbox, "function other() {}");

    assert.equal(broken.status === "not-loaded" && broken.error.name, "SyntaxError");
    assert.equal(throwing.status === "not-loaded" && throwing.error.message, "at load");
    assert.equal(absent.status, "not-loaded");
  });

  test("a promise with nothing left to settle it has never settled", async () => {
    const outcome = await outcomeOf(sandbox, "function skill() { return new Promise(() => {}) }");

    assert.deepEqual(outcome, { status: "never-settled" });
  });
}

function capabilities(sandbox: Sandbox): void {
  test("hands requests out as data and resumes with the answers", async () => {
    const host = answeringHost(({ kind, args }) => (kind === "kv.get" ? { got: args } : null));
    const text = `async function skill(key, ctx) {
      const value = await ctx.kv.get(key);
      await ctx.kv.set("copy", value);
      return [value, ctx.clock.now()];
    }`;

    const { trace } = await resultOf(sandbox, text, { args: ["k"], host });

    assert.deepEqual(trace.outcome, {
      status: "returned",
      value: [{ got: { key: "k" } }, NOW + 2_000],
    });
    assert.deepEqual(trace.steps, [
      {
        requests: [{ id: 1, kind: "kv.get", args: { key: "k" } }],
        answers: [{ id: 1, status: "resolved", value: { got: { key: "k" } } }],
        now: NOW + 1_000,
      },
      {
        requests: [{ id: 2, kind: "kv.set", args: { key: "copy", value: { got: { key: "k" } } } }],
        answers: [{ id: 2, status: "resolved", value: null }],
        now: NOW + 2_000,
      },
    ]);
  });

  test("gives a skill what is granted and nothing else", async () => {
    const text = "function skill(ctx) { return Object.keys(ctx).sort() }";

    const results = await execute(
      sandbox,
      anExecution(text, {
        calls: [aCall(), aCall({ grants: ["log", "kv"] }), aCall({ grants: [] })],
      }),
    );

    assert.deepEqual(
      results.map(({ trace: { outcome } }) => "value" in outcome && outcome.value),
      [["clock", "fetch", "kv", "log", "model", "random", "skills"], ["kv", "log"], []],
    );
  });

  test("answers fetch with a response", async () => {
    const host = answeringHost(() => ({
      status: 404,
      headers: { "Content-Type": "application/json" },
      body: '{"a":[1]}',
      url: "https://api.test/x",
      redirected: false,
    }));
    const text = `async function skill(ctx) {
      const response = await ctx.fetch("https://api.test/x", {
        method: "post", headers: {Accept: "text/plain"}, body: "hello" });
      return [response.status, response.ok, response.statusText, response.url,
        response.headers.get("content-TYPE"), response.headers.get("none"),
        [...response.headers], await response.text(), await response.json()];
    }`;

    const { trace } = await resultOf(sandbox, text, { host });

    assert.deepEqual(host.seen[0]?.args, {
      url: "https://api.test/x",
      method: "POST",
      headers: { accept: "text/plain" },
      body: "hello",
    });
    const fields = [["content-type", "application/json"]];
    assert.deepEqual("value" in trace.outcome && trace.outcome.value, [
      404,
      false,
      "Not Found",
      "https://api.test/x",
      "application/json",
      null,
      fields,
      '{"a":[1]}',
      { a: [1] },
    ]);
  });

  test("rejects with the host's error, placed where the skill asked", async () => {
    const host = {
      next: async (requests: readonly Request[]) => ({
        answers: requests.map((request) => rejected(request, "TypeError", "fetch failed")),
        now: NOW,
      }),
    };
    const text = "async function skill(ctx) {\n  await ctx.fetch('https://gone.test') }";

    const outcome = await outcomeOf(sandbox, text, { host });

    assert.equal(outcome.status, "threw");
    assert.equal(outcome.error.name, "TypeError");
    assert.equal(outcome.error.message, "fetch failed");
    assert.equal(outcome.error.frames[0]?.line, 2);
  });

  test("tells the skill which part of a request is not plain data", async () => {
    const text = "async function skill(ctx) { await ctx.kv.set('a', {b: [NaN]}) }";

    const outcome = await outcomeOf(sandbox, text);

    assert.match(outcome.status === "threw" ? outcome.error.message : "", /value\.b\[0\] is NaN/);
  });

  test("settles answers in the order told, several in one turn", async () => {
    const host = {
      next: async (requests: readonly Request[]) => ({
        answers: requests.toReversed().map((request) => resolved(request, null)),
        now: NOW,
      }),
    };
    const text = `async function skill(ctx) {
      const order = [];
      await Promise.all(["a", "b", "c"].map(async (key) => {
        await ctx.kv.get(key); order.push(key); }));
      return order;
    }`;

    const { trace } = await resultOf(sandbox, text, { host });

    assert.equal(trace.steps.length, 1);
    assert.deepEqual(trace.outcome, { status: "returned", value: ["c", "b", "a"] });
  });

  test("passes effects on that a skill does not wait for, and does not wait for them", async () => {
    const host = answeringHost(() => null);
    const text =
      "function skill(ctx) { void ctx.kv.set('a', 1); setTimeout(() => {}, 5); return 'done' }";

    const { trace } = await resultOf(sandbox, text, { host });

    assert.deepEqual(trace.outcome, { status: "returned", value: "done" });
    assert.deepEqual(
      host.seen.map(({ kind }) => kind),
      ["kv.set", "timer"],
    );
  });

  test("runs timers as requests, and forgets those that are cleared", async () => {
    const host = answeringHost(() => null);
    const text = `async function skill(ctx) {
      const seen = [];
      clearTimeout(setTimeout(() => seen.push("never"), 1));
      let ticks = 0;
      await new Promise((done) => {
        const interval = setInterval((by) => {
          seen.push(ticks += by);
          if (ticks === 3) { clearInterval(interval); done(); }
        }, 10, 1);
      });
      await ctx.clock.sleep(2_000);
      queueMicrotask(() => seen.push("micro"));
      await null;
      return seen;
    }`;

    const { trace } = await resultOf(sandbox, text, { host });

    assert.deepEqual(trace.outcome, { status: "returned", value: [1, 2, 3, "micro"] });
  });

  test("an error thrown by a timer voids the run", async () => {
    const host = answeringHost(() => null);
    const text = `async function skill(ctx) {
      setTimeout(() => { throw new Error("tick") }, 1);
      await ctx.clock.sleep(1);
    }`;

    const outcome = await outcomeOf(sandbox, text, { host });

    assert.equal(outcome.status === "unhandled-rejection" && outcome.error.message, "tick");
  });

  test("keeps what is logged, and the end of a flood", async () => {
    const text = `function skill(ctx) {
      console.log("plain", 1, {a: [undefined, () => 1]});
      ctx.log("called"); ctx.log.warn(new TypeError("odd"));
      console.error(null);
    }`;
    const flood = "function skill() { for (let i = 0; i < 20_000; i++) console.log('line', i) }";

    const { trace } = await resultOf(sandbox, text);
    const flooded = await resultOf(sandbox, flood);

    assert.deepEqual(trace.logs, [
      { level: "info", text: 'plain 1 {"a":[null,"[a function]"]}' },
      { level: "info", text: "called" },
      { level: "warn", text: "TypeError: odd" },
      { level: "error", text: "null" },
    ]);
    assert.ok(JSON.stringify(flooded.trace.logs).length < 100_000);
    assert.equal(flooded.trace.logs.at(-1)?.text, "line 19999");
    assert.match(flooded.trace.logs[0]?.text ?? "", /earlier lines were dropped/);
  });

  test("puts ctx last, even where arguments are left out", async () => {
    const optional = "function skill(a, b, ctx) { return [a, b ?? null, typeof ctx.kv] }";
    const defaulted = "function skill(a, b = 5, ctx) { return [a, b, typeof ctx.kv] }";

    const first = await outcomeOf(sandbox, optional, { args: [1] });
    const second = await outcomeOf(sandbox, defaulted, { args: [1], program: { ctxAt: 2 } });

    assert.deepEqual(first, { status: "returned", value: [1, null, "object"] });
    assert.deepEqual(second, { status: "returned", value: [1, 5, "object"] });
  });

  test("has the web's names that a program mentions", async () => {
    const text = `function skill() {
      const url = new URL("https://a.test/b?c=1");
      return [url.searchParams.get("c"), atob(btoa("x")), structuredClone({a: 1}),
        new TextDecoder().decode(new TextEncoder().encode("ä"))];
    }`;

    const outcome = await outcomeOf(sandbox, text);

    assert.deepEqual(outcome, { status: "returned", value: ["1", "x", { a: 1 }, "ä"] });
  });

  test("a fetch can be given up with an AbortController", async () => {
    const host = answeringHost(({ kind }) => (kind === "timer" ? null : null));
    const text = `async function skill(ctx) {
      const controller = new AbortController();
      const asked = ctx.fetch("https://a.test", {signal: controller.signal});
      controller.abort();
      return asked.catch((error) => error.name);
    }`;

    assert.deepEqual(await outcomeOf(sandbox, text, { host }), {
      status: "returned",
      value: "AbortError",
    });
  });
}

function time(sandbox: Sandbox): void {
  test("starts clock and random numbers from the environment, call by call", async () => {
    const text = `function skill() {
      return [Date.now(), new Date().toISOString(), Math.random(), Math.random(),
        performance.now(), new Intl.DateTimeFormat("en", {year: "numeric"}).format()] }`;
    const first = { now: NOW, seed: 1 };
    const second = { now: NOW + 1e9, seed: 2 };

    const results = await execute(
      sandbox,
      anExecution(text, {
        calls: [first, second, first].map((environment) => aCall({ environment })),
      }),
    );

    const [one, two, three] = results.map(({ trace }) => trace.outcome);
    assert.deepEqual(one, three);
    assert.notDeepEqual(one, two);
    const value = one !== undefined && "value" in one ? (one.value as unknown[]) : [];
    assert.equal(value[0], NOW);
    assert.equal(value[5], "2026");
  });

  test("a loop that waits for the clock ends", async () => {
    const text =
      "function skill() { const end = Date.now() + 300; while (Date.now() < end); return 1 }";

    assert.deepEqual(await outcomeOf(sandbox, text), { status: "returned", value: 1 });
  });

  test("the clock goes on with a delivery, and stands still in between but for readings", async () => {
    const host = answeringHost(() => null);
    const text = `async function skill(ctx) {
      const before = ctx.clock.now(); await ctx.clock.sleep(5); return ctx.clock.now() - before }`;

    const outcome = await outcomeOf(sandbox, text, { host });

    assert.deepEqual(outcome, { status: "returned", value: 1_000 });
  });
}

function sequences(sandbox: Sandbox): void {
  const counting = "let calls = 0; function skill() { return ++calls }";
  const three = [aCall(), aCall(), aCall()];

  test("calls share an isolate, in order, unless it is to be fresh", async () => {
    const shared = await execute(sandbox, anExecution(counting, { calls: three }));
    const fresh = await execute(sandbox, anExecution(counting, { calls: three, fresh: true }));

    const values = [shared, fresh].map((results) =>
      results.map(({ trace: { outcome } }) => "value" in outcome && outcome.value),
    );
    assert.deepEqual(values, [
      [1, 2, 3],
      [1, 1, 1],
    ]);
  });

  test("executions share nothing", async () => {
    const planting =
      "function skill() { globalThis.planted = 1; Array.prototype.push = () => 9; return 1 }";
    const looking = "function skill() { return [typeof planted, [].push(1)] }";

    await outcomeOf(sandbox, planting);
    const outcome = await outcomeOf(sandbox, looking);

    assert.deepEqual(outcome, { status: "returned", value: ["undefined", 1] });
  });

  test("fresh executions share nothing, whatever limits and web names they alternate with", async () => {
    const planting =
      "globalThis.planted = 1; Array.prototype.push = () => 9; function skill() { return 1 }";
    const looking = "function skill() { return [typeof planted, [].push(1), typeof Seen] }";
    const options = [true, false, true].flatMap((plants) =>
      ["URL", "AbortController", "planted"].flatMap((name) =>
        [32, 64].map((memoryMb) => ({ plants, name, memoryMb })),
      ),
    );

    for (const { plants, name, memoryMb } of options) {
      const text = (plants ? planting : looking).replace("Seen", name);
      const overrides = { fresh: true, limits: { memoryMb } };
      const outcome = await outcomeOf(sandbox, text, overrides);
      const seen = ["undefined", 1, name === "planted" ? "undefined" : "function"];
      assert.deepEqual(outcome, { status: "returned", value: plants ? 1 : seen });
    }
  });

  test("stops at the first call that does not return, where that is asked for", async () => {
    const text = "function skill(n) { if (n === 1) throw new Error('one'); return n }";
    const calls = [0, 1, 2].map((n) => aCall({ args: [n] }));

    const results = await execute(sandbox, anExecution(text, { calls, stopAtFirstThrow: true }));

    assert.deepEqual(statusesOf(results), ["returned", "threw"]);
  });

  test("goes on after a call that ended badly, with results for every call", async () => {
    const text = `function skill(n) {
      if (n === 1) for (;;);
      if (n === 3) { const map = new Map(); for (let i = 0; ; i++) map.set(i, {i}); }
      return n }`;
    const calls = [0, 1, 2, 3, 4].map((n) => aCall({ args: [n] }));

    const results = await execute(sandbox, anExecution(text, { calls }));

    assert.deepEqual(statusesOf(results).toSpliced(3, 1), [
      "returned",
      "timed-out",
      "returned",
      "returned",
    ]);
    assert.notEqual(results[3]?.trace.outcome.status, "returned");
  });

  test("counts the sites of an instrumented program, call by call", async () => {
    const text = `__hone_hit(0); function skill(n) {
      return n > 0 ? (__hone_hit(2), "more") : (__hone_hit(5), "none") }`;
    const calls = [1, 0].map((n) => aCall({ args: [n] }));

    const results = await execute(sandbox, anExecution(text, { calls, witness: true }));

    assert.deepEqual(
      results.map(({ hits }) => hits),
      [
        [0, 2],
        [0, 5],
      ],
    );
  });
}

function endings(sandbox: Sandbox): void {
  test("an endless loop ends in time, and so does one that catches everything", async () => {
    const bodies = [
      "for (;;);",
      "for (;;) { try { for (;;); } catch {} finally { continue } }",
      "return (async () => { for (;;) await null })()",
      "return /^(a+)+$/.test('a'.repeat(40) + 'b')",
    ];

    for (const body of bodies) {
      const started = performance.now();
      const outcome = await outcomeOf(sandbox, `function skill() { ${body} }`, {
        limits: { timeoutMs: 300 },
      });

      assert.deepEqual(outcome, { status: "timed-out", afterMs: 300 });
      assert.ok(performance.now() - started < 6_000);
    }
  });

  test("a host that never answers uses up the time of the call (B46)", async () => {
    const text = "async function skill(ctx) { await ctx.kv.get('k'); return 1 }";

    const { trace } = await resultOf(sandbox, text, {
      host: deafHost(),
      limits: { timeoutMs: 300 },
    });

    assert.deepEqual(trace.outcome, { status: "timed-out", afterMs: 300 });
    assert.deepEqual(trace.steps, [
      { requests: [{ id: 1, kind: "kv.get", args: { key: "k" } }], answers: [], now: NOW },
    ]);
  });

  test("the limit is of the whole call, waiting included", async () => {
    const slow = {
      next: async (requests: readonly Request[]) => {
        await new Promise((resolve) => setTimeout(resolve, 120));
        return { answers: requests.map((request) => resolved(request, null)), now: NOW };
      },
    };
    const text = "async function skill(ctx) { for (;;) await ctx.kv.get('k') }";
    const started = performance.now();

    const outcome = await outcomeOf(sandbox, text, {
      host: slow,
      limits: { timeoutMs: 500 },
    });

    assert.equal(outcome.status, "timed-out");
    assert.ok(performance.now() - started < 6_000);
  });

  test("a second run of a call repeats no effect and is answered as the first was", async () => {
    const host = answeringHost(() => "answer");
    const text = `async function skill(ctx) {
      await ctx.kv.set("once", 1); await ctx.kv.get("then"); for (;;); }`;

    const { trace } = await resultOf(sandbox, text, { host, limits: { timeoutMs: 300 } });

    assert.equal(trace.outcome.status, "timed-out");
    assert.deepEqual(
      host.seen.map(({ kind }) => kind),
      ["kv.set", "kv.get"],
    );
    assert.equal(trace.steps.length, 2);
  });

  test("after twenty timeouts in a row, and eight at a time, the next program runs (B3)", async () => {
    const looping = anExecution("function skill() { for (;;); }", {
      limits: { timeoutMs: 50 },
      unconfirmed: true,
    });
    for (let round = 0; round < 20; round += 1)
      assert.deepEqual(statusesOf(await execute(sandbox, looping)), ["timed-out"]);
    const parallel = await Promise.all(Array.from({ length: 8 }, () => execute(sandbox, looping)));

    const outcome = await outcomeOf(sandbox, "function skill() { return 1 }");

    assert.deepEqual(parallel.flatMap(statusesOf), Array(8).fill("timed-out"));
    assert.deepEqual(outcome, { status: "returned", value: 1 });
  });

  test("a program that loops while it loads is timed out, once for all calls", async () => {
    const started = performance.now();
    const calls = Array.from({ length: 20 }, () => aCall());

    const results = await execute(
      sandbox,
      anExecution("for (;;); function skill() {}", { calls, limits: { timeoutMs: 300 } }),
    );

    assert.deepEqual(statusesOf(results), Array(20).fill("timed-out"));
    assert.ok(performance.now() - started < 6_000);
  });
}

function closing(make: () => Sandbox): void {
  test("rejects with the signal's reason when aborted, before and in the middle", async () => {
    await using sandbox = make();
    const looping = anExecution("function skill() { for (;;); }", {
      limits: { timeoutMs: 60_000 },
    });
    const reason = new Error("enough");
    const controller = new AbortController();

    const running = sandbox.execute(looping, controller.signal);
    setTimeout(() => controller.abort(reason), 300);

    await assert.rejects(running, reason);
    await assert.rejects(sandbox.execute(looping, controller.signal), reason);
    assert.deepEqual(await outcomeOf(sandbox, "function skill() { return 1 }"), {
      status: "returned",
      value: 1,
    });
  });

  test("refuses work once disposed", async () => {
    const sandbox = make();
    await sandbox[Symbol.asyncDispose]();

    await assert.rejects(execute(sandbox, anExecution("function skill() {}")), {
      code: "sandbox-unavailable",
    });
  });
}
