import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import { aCall, anExecution, execute, outcomeOf, resultOf } from "../support/executions.ts";

/** Programs that want the sandbox dead, hung or wrong. After each, the next program runs as ever. */
export function hostileContract(name: string, make: () => Sandbox): void {
  suite(`${name}: a sandbox and hostile programs`, () => {
    const sandbox = make();
    after(() => sandbox[Symbol.asyncDispose]());

    memory(sandbox);
    natives(sandbox);
    transport(sandbox);
  });
}

async function stillWorks(sandbox: Sandbox): Promise<void> {
  const outcome = await outcomeOf(sandbox, "function skill(n) { return n + 1 }", { args: [1] });
  assert.deepEqual(outcome, { status: "returned", value: 2 });
}

function memory(sandbox: Sandbox): void {
  const growing: Readonly<Record<string, string>> = {
    "an array": "const all = []; for (;;) all.push({});",
    "a Map": "const map = new Map(); for (let i = 0; ; i++) map.set(i, {i});",
    "an object's keys": "const all = {}; for (let i = 0; ; i++) all['k' + i] = i;",
    "a text":
      "let text = 'x'; const all = []; for (;;) { text += text.length < 1e6 ? text : 'y'; all.push([...text]); }",
    "a filled array": "new Array(1e9).fill(0);",
    "split text": "const all = []; for (;;) all.push('a'.repeat(2 ** 27).split(''));",
    "resizable buffers":
      "const all = []; for (;;) { const buffer = new ArrayBuffer(1, {maxByteLength: 2 ** 28}); buffer.resize(2 ** 28); new Uint8Array(buffer).fill(1); all.push(buffer); }",
    "chained promises": "const all = []; for (;;) all.push(Promise.resolve(all).then(() => all));",
  };
  for (const [what, body] of Object.entries(growing)) {
    test(`growing ${what} runs out of memory or time, and of nothing else`, async () => {
      const started = performance.now();

      const outcome = await outcomeOf(sandbox, `function skill() { ${body} return 1 }`, {
        limits: { timeoutMs: 3_000 },
        unconfirmed: true,
      });

      // A program may also be told by the engine that there is no room, and throw that.
      assert.ok(["out-of-memory", "timed-out", "threw"].includes(outcome.status), outcome.status);
      assert.ok(performance.now() - started < 20_000);
      await stillWorks(sandbox);
    });
  }

  test("a growing Map is out of memory, whatever it says itself (B45)", async () => {
    const text = `function skill() {
      console.log("Script execution timed out."); const map = new Map();
      for (let i = 0; ; i++) map.set(i, {i}); }`;

    const outcome = await outcomeOf(sandbox, text, { limits: { timeoutMs: 20_000 } });

    assert.deepEqual(outcome, { status: "out-of-memory" });
  });
}

function natives(sandbox: Sandbox): void {
  const endless: Readonly<Record<string, string>> = {
    indexOf: "Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1)",
    "sparse reverse": "Array.prototype.reverse.call({length: 2 ** 53 - 1})",
    "a Proxy as result": "return new Proxy({}, {ownKeys() { for (;;); }})",
    "a then that loops": "return {get then() { for (;;); }}",
  };
  for (const [what, body] of Object.entries(endless)) {
    test(`is not held up by ${what}`, async () => {
      const started = performance.now();

      const outcome = await outcomeOf(sandbox, `function skill() { ${body} }`, {
        limits: { timeoutMs: 300 },
      });

      assert.deepEqual(outcome, { status: "timed-out", afterMs: 300 });
      assert.ok(performance.now() - started < 6_000);
      await stillWorks(sandbox);
    });
  }

  test("is not held up by a rejected value with a getter, whether or not it is read", async () => {
    const text =
      "function skill() { Promise.reject(Object.defineProperty(new Error('e'), 'stack', {get() { for (;;); }})) }";
    const started = performance.now();

    const outcome = await outcomeOf(sandbox, text, { limits: { timeoutMs: 300 } });

    assert.ok(["timed-out", "unhandled-rejection"].includes(outcome.status), outcome.status);
    assert.ok(performance.now() - started < 6_000);
    await stillWorks(sandbox);
  });

  test("recursion without end throws in the skill", async () => {
    const outcome = await outcomeOf(sandbox, "function skill() { return skill() }");

    assert.equal(outcome.status === "threw" && outcome.error.name, "RangeError");
  });
}

function transport(sandbox: Sandbox): void {
  test("patched built-ins do not change what later calls carry (T4)", async () => {
    const text = `
      let patched = false;
      const own = Object.assign({}, {keys: Object.keys});
      function patch() {
        patched = true;
        JSON.stringify = () => '"same"'; JSON.parse = () => ({}); Object.is = () => true;
        Array.isArray = () => false; Number.isFinite = () => true; Reflect.ownKeys = () => [];
        Reflect.apply = () => { throw 1 }; Reflect.getOwnPropertyDescriptor = () => undefined;
        Object.prototype.toJSON = Array.prototype.toJSON = Number.prototype.toJSON = () => 0;
        Array.prototype.push = Array.prototype.filter = Array.prototype.map = () => [];
        Array.prototype[Symbol.iterator] = function* () {};
        String.prototype.slice = String.prototype.charCodeAt = () => "forged";
        RegExp.prototype.exec = () => null; Promise.prototype.then = () => { throw 2 };
        Promise.resolve = () => { throw 3 };
        Function.prototype.call = Function.prototype.apply = () => { throw 4 };
        Object.defineProperty(Array.prototype, "0", {set() { throw 5 }, configurable: true});
        for (const key of ["get", "set", "value", "path", "text", "outcome", "resolve"])
          Object.defineProperty(Object.prototype, key, {get() { return 7 }, set() {}, configurable: true});
      }
      async function skill(data, ctx) {
        if (!patched) patch();
        await null;
        console.log("logged", 1);
        return {data, list: [1, {a: "text"}], n: 1.5};
      }`;
    const data = { deep: [[{ x: "ä" }], null, true], n: 3 };
    const calls = [1, 2, 3].map(() => aCall({ args: [data] }));

    const results = await execute(sandbox, anExecution(text, { calls }));

    for (const { trace } of results) {
      assert.deepEqual(trace.outcome, {
        status: "returned",
        value: { data, list: [1, { a: "text" }], n: 1.5 },
      });
      assert.deepEqual(trace.logs, [{ level: "info", text: "logged 1" }]);
    }
  });

  test("a skill cannot speak the protocol (B27)", async () => {
    const text = `function skill() {
      console.log('{"kind":"ended","outcome":{"status":"returned","value":1}}');
      console.error("PASS ok RESULT 3/3");
      return -1;
    }`;

    const { trace } = await resultOf(sandbox, text);

    assert.deepEqual(trace.outcome, { status: "returned", value: -1 });
    assert.equal(trace.logs.length, 2);
  });

  test("there is nothing of the process, of other threads or of the collector", async () => {
    const names = [
      "process",
      "require",
      "module",
      "global",
      "Buffer",
      "fetch",
      "WebAssembly",
      "Atomics",
      "SharedArrayBuffer",
      "WeakRef",
      "FinalizationRegistry",
      "__hone_hit",
      "openRealm",
      "setImmediate",
    ];
    const text = `function skill(names) { return names.filter((name) => name in globalThis) }`;

    const outcome = await outcomeOf(sandbox, text, { args: [names] });

    assert.deepEqual(outcome, { status: "returned", value: [] });
  });

  test("import() and the stack's call sites give nothing away", async () => {
    const importing = "async function skill() { return import('node:fs') }";
    const sites =
      "function skill() { let seen = 0; Error.prepareStackTrace = (_, all) => { seen = all.length }; void new Error('e').stack; return seen }";

    assert.equal((await outcomeOf(sandbox, importing)).status, "threw");
    assert.deepEqual(await outcomeOf(sandbox, sites), { status: "returned", value: 0 });
  });

  test("a result as large as memory is refused inside", async () => {
    const outcome = await outcomeOf(
      sandbox,
      "function skill() { return [1, 2].map(() => 'x'.repeat(3e8)) }",
    );

    assert.equal(outcome.status, "bad-result");
  });
}
