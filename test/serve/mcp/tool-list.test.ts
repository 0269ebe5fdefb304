import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../src/domain/json.ts";
import { annotationsOf } from "../../../src/serve/mcp/annotations.ts";
import { objectSchema, plainSchema } from "../../../src/serve/mcp/plain-schema.ts";
import { search } from "../../../src/serve/mcp/search.ts";
import { toolListOf } from "../../../src/serve/mcp/tool-list.ts";

const NUMBER: JsonObject = { type: "object", properties: { a: { type: "number" } } };

function row(name: string, more: JsonObject = {}): JsonObject {
  const schemas = { inputSchema: NUMBER, outputSchema: { type: "number" } };
  return {
    name,
    description: `${name}, said.`,
    kind: "function",
    capabilities: {},
    ...schemas,
    ...more,
  };
}

/** A list over rows that a test changes, with what was told of it. */
function listOver(rows: { now: readonly JsonObject[] }) {
  const troubles: string[] = [];
  let asked = 0;
  const list = toolListOf(
    {
      tools: async ({ known }) => {
        asked += 1;
        const digest = JSON.stringify(rows.now);
        return known === digest ? { digest } : { digest, tools: rows.now };
      },
    },
    (sentence) => troubles.push(sentence),
  );
  let changes = 0;
  list.onChange(() => (changes += 1));
  return { list, troubles, asked: () => asked, changes: () => changes };
}

test("names that are hone's own are refused to skills, and told", async () => {
  const { list, troubles } = listOver({ now: [row("hone_call"), row("fine")] });

  const { tools, skills } = await list.now();

  assert.deepEqual([...skills.keys()], ["fine"]);
  assert.equal(tools.filter(({ name }) => name === "hone_call").length, 1);
  assert.match(troubles.join(), /hone_call is no tool/);
});

test("a list that servers of models would refuse is told of, once for each list [B44]", async () => {
  const rows = { now: Array.from({ length: 200 }, (_, at) => row(`skill-${at}`)) };
  const { list, troubles } = listOver(rows);
  await list.now();
  await list.now();
  await list.refresh();

  assert.equal(troubles.length, 0);
  rows.now = rows.now.map((one) => ({ ...one, description: "x".repeat(500) }));
  await list.refresh();

  assert.equal(troubles.length, 1);
  assert.match(troubles[0] ?? "", /204 tools has \d{6} bytes/);
});

test("a list is read once, and again only when it may have changed; what changed is told [B40]", async () => {
  const rows = { now: [row("one")] };
  const { list, asked, changes } = listOver(rows);
  await Promise.all([list.now(), list.now(), list.now()]);
  assert.equal(asked(), 1);

  await list.refresh();
  assert.equal(changes(), 0);
  rows.now = [row("one", { description: "said better" })];
  await list.refresh();

  assert.equal(changes(), 1);
  assert.equal((await list.now()).skills.get("one")?.description, "said better");
});

test("a reading that fails is not remembered", async () => {
  let isUp = false;
  const list = toolListOf(
    {
      tools: async () => {
        if (!isUp) throw new Error("not yet");
        return { digest: "d", tools: [] };
      },
    },
    () => undefined,
  );

  await assert.rejects(list.now());
  isUp = true;

  assert.equal((await list.now()).skills.size, 0);
});

test("a schema without boolean nodes says what it said, and data in it stays [B43]", () => {
  const schema: JsonObject = {
    type: "object",
    properties: { any: true, none: false, flag: { type: "boolean", default: true, enum: [true] } },
    additionalProperties: false,
    $defs: { x: { items: true, anyOf: [true, { type: "string" }] } },
  };

  assert.deepEqual(plainSchema(schema), {
    type: "object",
    properties: {
      any: {},
      none: { not: {} },
      flag: { type: "boolean", default: true, enum: [true] },
    },
    $defs: { x: { items: {}, anyOf: [{}, { type: "string" }] } },
  });
});

test("what is no object becomes the member result, and references still find their definitions", () => {
  const schema: JsonObject = { $ref: "#/$defs/tree", $defs: { tree: { type: "array" } } };

  assert.deepEqual(objectSchema(schema), {
    $defs: { tree: { type: "array" } },
    type: "object",
    properties: { result: { $ref: "#/$defs/tree" } },
    required: ["result"],
  });
  assert.equal(objectSchema(NUMBER), NUMBER);
});

test("what a skill may do is what it may do through the skills that it calls", () => {
  const capabilities = new Map<string, JsonObject>([
    ["pure", { clock: true, log: true }],
    ["outer", { skills: ["inner"] }],
    ["inner", { skills: ["outer", "sender"] }],
    ["sender", { fetch: ["api.example.com"] }],
    ["lost", { skills: ["gone"] }],
    ["asker", { model: true, fetch: [] }],
  ]);
  const told = (name: string) => annotationsOf(name, capabilities);

  assert.equal(told("pure").readOnlyHint, true);
  assert.deepEqual([told("outer").openWorldHint, told("outer").destructiveHint], [true, true]);
  assert.equal(told("lost").readOnlyHint, false);
  assert.deepEqual([told("asker").readOnlyHint, told("asker").openWorldHint], [true, true]);
});

test("a rare word of the query weighs more than a common one, and the name more than the rest", async () => {
  const rows = ["csv-to-records", "text-to-slug", "text-diff"].map((name) =>
    row(name, { description: "Works on a text." }),
  );
  const listed = await listOver({ now: rows }).list.now();

  const names = (query: string) =>
    (search(listed, { query, limit: 10 })["skills"] as { name: string }[]).map(({ name }) => name);

  assert.equal(names("records of a text")[0], "csv-to-records");
  assert.deepEqual(names("Slugs"), ["text-to-slug"]);
  assert.equal(names("").length, 3);
  assert.deepEqual(names("nothing like it"), []);
});
