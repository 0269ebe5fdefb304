import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createIsolateSandbox } from "../../../src/adapters/isolate/isolate-sandbox.ts";
import type { Json } from "../../../src/domain/json.ts";
import { variants } from "../../../src/editor/variants.ts";
import type { Sifted, Sifting } from "../../../src/ports/sandbox.ts";
import { NOW } from "../../support/executions.ts";

const sandbox = createIsolateSandbox({ warm: 1, most: 2 });
after(() => sandbox[Symbol.asyncDispose]());

type Given = {
  readonly text: string;
  /** Each takes the place of the one `"@"` of the text. */
  readonly instead: readonly string[];
  readonly inputs?: readonly (readonly Json[])[];
  readonly language?: "ts" | "js";
  readonly fuel?: number;
};

async function sift({
  text,
  instead,
  inputs = [[]],
  language = "ts",
  fuel = 5_000,
}: Given): Promise<Sifted> {
  const start = text.indexOf('"@"');
  const changes = instead.map((other) => [
    { op: "splice" as const, start, end: start + 3, text: other },
  ]);
  const made = variants({ text, language, entry: null }, changes);
  assert.ok(made);
  const sifting: Sifting = {
    program: made.program,
    seats: made.seats.map((seat) => seat ?? assert.fail("a change does not compile")),
    calls: inputs.map((args) => ({ args, grants: [], environment: { now: NOW, seed: 1 } })),
    limits: { timeoutMs: 500, memoryMb: 32, outputBytes: 10_000 },
    fuel,
  };
  return sandbox.sift?.(sifting, AbortSignal.timeout(60_000)) ?? assert.fail("it cannot sift");
}

/** By unit: what was returned, or how it ended otherwise. */
function ends({ outcomes, of }: Sifted): readonly Json[] {
  return of.map((at) => {
    const outcome = outcomes[at] ?? null;
    if (outcome === null) return "unknown";
    return outcome.status === "returned" ? outcome.value : outcome.status;
  });
}

const numbers = Array.from({ length: 40 }, (_, at) => String(at));

test("each variant is put to each call", async () => {
  const sifted = await sift({
    text: 'export function skill(x) { return ["@", x]; }',
    instead: ["1", "x + 1"],
    inputs: [[10], [20]],
  });
  assert.deepEqual(ends(sifted), [
    [1, 10],
    [11, 10],
    [1, 20],
    [21, 20],
  ]);
});

test("what does not end by itself ends when its fuel is spent, also where it catches errors", async () => {
  const sifted = await sift({
    text: 'export function skill() { for (;;) { try { "@"; } catch {} } }',
    instead: ["skill()", "(() => { for (;;); })()", "[1].map(() => skill())"],
  });
  assert.deepEqual(ends(sifted), ["timed-out", "timed-out", "timed-out"]);
});

test("what no fuel can end is ended by the clock, and those behind it are run", async () => {
  const endless = '/^(a+)+$/.test("a".repeat(40) + "b")';
  const sifted = await sift({
    text: 'export function skill() { return "@"; }',
    instead: ["1", endless, "3"],
  });
  assert.deepEqual(ends(sifted), [1, "timed-out", 3]);
});

test("memory bombs end a guest, not the sift", async () => {
  const array = "(() => { let all = [1]; for (;;) all = [...all, ...all]; })()";
  const map = "(() => { const all = new Map(); for (let n = 0; ; n++) all.set(n, {}); })()";
  const sifted = await sift({
    text: 'export function skill() { return "@"; }',
    instead: [...numbers, array, ...numbers, map, ...numbers],
    fuel: 50_000_000,
  });
  const told = ends(sifted);
  const wanted = numbers.map(Number);
  assert.deepEqual(told.slice(0, 40), wanted);
  assert.deepEqual(told.slice(41, 81), wanted);
  assert.deepEqual(told.slice(82), wanted);
  for (const bomb of [told[40], told[81]]) {
    assert.ok(["out-of-memory", "timed-out", "crashed"].includes(String(bomb)), String(bomb));
  }
});

test("a variant sees nothing that those before it left behind", async () => {
  const sifted = await sift({
    language: "js",
    text: `
      let calls = 0;
      function skill() {
        calls += 1;
        const seen = [calls, typeof leaked, [].extra === undefined, RegExp.$1, "".at.name];
        "@";
        return seen;
      }`,
    instead: [
      "leaked = 1",
      "Array.prototype.extra = 1",
      '/(.)/.exec("x")',
      "String.prototype.at = () => 1",
      "Object.defineProperty(globalThis, 'leaked', { value: 1 })",
      "JSON.stringify = null",
      "0",
    ],
  });
  const clean = [1, "undefined", true, "", "at"];
  assert.deepEqual(
    ends(sifted),
    Array.from({ length: 7 }, () => clean),
  );
});

test("promises settle within their own variant", async () => {
  const sifted = await sift({
    text: `
      export async function skill() {
        const before = Math.random();
        await null;
        const value = await "@";
        return [value, before === Math.random()];
      }`,
    instead: [
      "1",
      "Promise.resolve(2)",
      "new Promise(() => {})",
      "Promise.reject(new Error())",
      "5",
    ],
  });
  assert.deepEqual(ends(sifted), [[1, false], [2, false], "never-settled", "threw", [5, false]]);
});

test("a rejection that nobody handles is told of the variant that left it", async () => {
  const sifted = await sift({
    text: 'export function skill() { void "@"; return 1; }',
    instead: ["0", "Promise.reject(new Error())", "0"],
  });
  assert.deepEqual(ends(sifted), [1, "unhandled-rejection", 1]);
});

test("a variant that asks the host for something is left alone", async () => {
  const sifted = await sift({
    text: 'export async function skill() { return "@"; }',
    instead: ["1", "new Promise((done) => setTimeout(done, 5))"],
  });
  assert.deepEqual(ends(sifted), [1, "unknown"]);
});
