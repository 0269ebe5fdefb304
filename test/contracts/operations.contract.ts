import assert from "node:assert/strict";
import { test } from "node:test";
import { ERROR_CODES, HoneError } from "../../src/domain/errors.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Operations } from "../../src/ports/operations.ts";

/** Operations under test; what they reach must be `scriptedOperations`. */
export type OperationsUnderTest = { readonly operations: Operations } & AsyncDisposable;

/** What a caller may rely on, whether it is on the workspace itself or behind the daemon's socket. */
export function operationsContract(name: string, open: () => Promise<OperationsUnderTest>): void {
  const requests: readonly (readonly [keyof Operations, object])[] = [
    ["call", { skill: "s", input: { a: [1, null, { b: "ü\u0000" }] }, expect: null }],
    ["call", { skill: "s", input: {} }],
    ["call", { skill: "s", input: {}, source: "mcp" }],
    ["report", { run: "r1", reason: "wrong", expect: 1, by: "Ada", via: "cli" }],
    ["report", { skill: "s", input: {}, reason: "wrong", throws: "no", by: "" }],
    ["tools", { known: "d" }],
    ["submit", { tasks: [{ skill: "s", input: {} }, {}] }],
    ["task", { id: "t1" }],
    ["cancel", { id: "t1", by: "Ada" }],
    ["runs", { skill: "s" }],
    ["runs", { skill: "s", limit: 500, before: "run_1" }],
    ["run", { id: "run_1" }],
    ["incident", { id: "inci_1" }],
    ["candidate", { id: "c1" }],
    ["releases", {}],
    ["releases", { skill: "s", limit: 1, before: "abc" }],
    ["evidence", { commit: "abc" }],
    ["pin", { skill: "s", version: "abc", by: "Ada" }],
    ["unpin", { skill: "s", by: "Ada" }],
    ["improve", { skill: "s" }],
    ["birth", { by: "Ada", name: "n", description: "d", examples: [{ input: {}, expect: 1 }] }],
    ["birth", { by: "Ada", from: "0a1b2c" }],
    ["recurring", {}],
    ["retire", { skill: "s", by: "Ada", reason: "r" }],
    ["skills", {}],
    ["skill", { name: "s" }],
    ["test", {}],
    ["test", { name: "s" }],
    ["status", {}],
    ["incidents", { skill: "s", all: true }],
    ["log", { skill: "s" }],
    ["diff", { skill: "s", from: "a", to: "b" }],
    ["why", { skill: "s" }],
    ["rollback", { skill: "s", by: "Ada" }],
    ["approve", { candidate: "c1", by: "Ada" }],
    ["reject", { candidate: "c1", by: "Ada" }],
    ["verify", { commit: "abc" }],
    ["buildSandbox", {}],
  ];

  test(`${name}: every verb gets its request whole and gives its answer whole`, async () => {
    await using under = await open();

    for (const [verb, request] of requests) {
      const answer = await ask(under.operations, verb, request);

      assert.deepEqual(answer, { schemaVersion: 1, verb, request });
    }
  });

  test(`${name}: a member named __proto__ is a member like any other`, async () => {
    await using under = await open();
    const input = JSON.parse('{"__proto__": {"polluted": true}}') as JsonObject;

    const answer = await under.operations.call({ skill: "s", input });

    assert.equal(JSON.stringify((answer["request"] as JsonObject)["input"]), JSON.stringify(input));
    assert.equal(({} as { polluted?: true }).polluted, undefined);
  });

  test(`${name}: an error arrives with its code, message, hint and whether to try again`, async () => {
    await using under = await open();

    for (const code of ERROR_CODES) {
      await assert.rejects(under.operations.skill({ name: `fails with ${code}` }), (thrown) => {
        assert.ok(thrown instanceof HoneError);
        assert.equal(thrown.code, code);
        assert.equal(thrown.message, `it fails with ${code}`);
        assert.equal(thrown.hint, "Try something else.");
        assert.equal(thrown.retryable, code === "busy");
        return true;
      });
    }
  });

  test(`${name}: a bug is no error of the world`, async () => {
    await using under = await open();

    await assert.rejects(under.operations.skill({ name: "has a bug" }), (thrown) => {
      assert.ok(thrown instanceof Error && !(thrown instanceof HoneError));
      assert.match(thrown.message, /undefined is not a function/);
      return true;
    });
  });

  test(`${name}: fifty requests at a time each get their own answer`, async () => {
    await using under = await open();
    const names = Array.from({ length: 50 }, (_, at) => `skill-${at}`);

    const answers = await Promise.all(names.map((name) => under.operations.skill({ name })));

    assert.deepEqual(
      answers.map(({ request }) => request),
      names.map((name) => ({ name })),
    );
  });
}

function ask(operations: Operations, verb: keyof Operations, request: object): Promise<JsonObject> {
  const perform = operations[verb] as (request: object) => Promise<JsonObject>;
  return perform.call(operations, request);
}
