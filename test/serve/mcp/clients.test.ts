import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { after, before, test } from "node:test";
import { follow } from "../../../src/daemon/follow.ts";
import { mcpMount } from "../../../src/daemon/agents/mcp.ts";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { OpenWorkspace } from "../../../src/daemon/compose.ts";
import { serve } from "../../../src/serve/http/server.ts";
import { socketPathOf } from "../../../src/serve/http/socket-path.ts";
import { areaSkill, BAD_AREA } from "../../support/area-skill.ts";
import { newClient, oldClient, type McpPlace, type TestClient } from "../../support/mcp-clients.ts";
import { aWorkspace, skillFiles, type TestWorkspace } from "../../support/workspace.ts";

const TOKEN = "t".repeat(43);

const SHOUT =
  "/** Says it aloud. */\nexport function shout(text: string): { said: string; marks: unknown } {\n  if (text === '') throw new Error('nothing to say');\n  console.log('a word on the way out');\n  return { said: text.toUpperCase(), marks: null };\n}\n";

const stack = new AsyncDisposableStack();
let workspace: TestWorkspace;
let hone: OpenWorkspace;
let overHttp: McpPlace;
let overStdio: McpPlace;

before(async () => {
  workspace = await aWorkspace(
    { after: (release) => stack.defer(release) },
    {
      ...areaSkill(),
      ...skillFiles("shout", {
        source: SHOUT,
        cases: [{ name: "hi", args: ["hi"], expect: { said: "HI", marks: null } }],
        metadata: "  kind: function\n  capabilities: { log: true }",
      }),
      ...skillFiles("remember", {
        source:
          "export async function remember(text: string, ctx: { kv: { set(key: string, value: string): Promise<void> } }): Promise<string> {\n  await ctx.kv.set('text', text);\n  return text;\n}\n",
        cases: [{ name: "a", args: ["a"], expect: "a" }],
        metadata: "  kind: function\n  capabilities: { kv: true }",
      }),
    },
  );
  hone = stack.use(await workspace.open());
  const bugs: unknown[] = [];
  const onBug = (thrown: unknown): void => void bugs.push(thrown);
  const mcp = mcpMount(hone, { onBug, onTrouble: () => undefined });
  const serving = stack.use(
    await serve({
      socketPath: socketPathOf(workspace.dir),
      tcp: { host: "127.0.0.1", port: 0, token: TOKEN },
      operations: hone.operations,
      events: hone.events.since,
      answers: hone.house.store,
      mounts: [mcp.mount],
      onBug,
    }),
  );
  stack.use(mcp);
  stack.defer(() => assert.deepEqual(bugs, []));
  overHttp = { url: `${serving.origin}/mcp`, token: TOKEN };
  overStdio = { dir: workspace.dir };
});

after(async () => await stack.disposeAsync());

const CLIENTS: readonly (readonly [string, () => Promise<TestClient>])[] = [
  ["the client of today, new era, HTTP", () => newClient(overHttp, { mode: "auto" })],
  ["the client of today, old era, HTTP", () => newClient(overHttp, { mode: "legacy" })],
  ["the client of the first SDK, HTTP", () => oldClient(overHttp)],
  ["the client of today, new era, stdio", () => newClient(overStdio, { mode: "auto" })],
  ["the client of today, old era, stdio", () => newClient(overStdio, { mode: "legacy" })],
  ["the client of the first SDK, stdio", () => oldClient(overStdio)],
];

for (const [name, connect] of CLIENTS) {
  test(`${name}: list, call and isError mean the same to all [B42]`, async () => {
    await using client = await connect();

    const tools = await client.list();
    const good = await client.call("shout", { text: "hi" });
    const wrapped = await client.call("area", { width: 2, height: 2 });
    const threw = await client.call("shout", { text: "" });
    const unfit = await client.call("shout", { words: 1 });
    const unknown = await client.call("shoot", {});

    assert.match(client.protocol, name.includes("new era") ? /^2026-/ : /^2025/);
    assert.deepEqual(
      tools.map((tool) => tool["name"]),
      [
        "hone_search",
        "hone_call",
        "hone_report_failure",
        "hone_status",
        "area",
        "remember",
        "shout",
      ],
    );
    assert.deepEqual(good.structuredContent, { said: "HI", marks: null });
    assert.deepEqual(JSON.parse(good.content[0]?.text ?? ""), good.structuredContent);
    assert.match(String(good._meta?.["hone/run"]), /^run_/);
    assert.equal(good._meta?.["hone/commit"], workspace.git("rev-parse", "hone"));
    assert.deepEqual([good.isError ?? false, wrapped.structuredContent], [false, { result: 4 }]);
    for (const failed of [threw, unfit, unknown]) assert.equal(failed.isError, true);
    assert.match(threw.content[0]?.text ?? "", /threw Error: nothing to say.*hone_report_failure/);
    assert.match(unfit.content[0]?.text ?? "", /cannot take this input/);
    assert.match(unknown.content[0]?.text ?? "", /no skill named shoot/);
  });

  test(`${name}: the tools that are always there search, call and tell`, async () => {
    await using client = await connect();

    const found = await client.call("hone_search", { query: "the area of something" });
    const called = await client.call("hone_call", {
      skill: "area",
      input: { width: 2, height: 2 },
    });
    const status = await client.call("hone_status");
    const wrong = await client.call("hone_search", { query: "x", limit: 1_000, more: true });

    const [first] = (found.structuredContent?.["skills"] ?? []) as { name: string }[];
    assert.equal(first?.name, "area");
    assert.equal(called.structuredContent?.["result"], 4);
    assert.equal(status.structuredContent?.["skills"], 3);
    assert.equal(wrong.isError, true);
    assert.match(wrong.content[0]?.text ?? "", /limit.*more/);
  });
}

test("annotations say what a skill may do to the world, by what its manifest grants", async () => {
  await using client = await newClient(overHttp, { mode: "auto" });
  const tools = new Map((await client.list()).map((tool) => [tool["name"], tool]));

  const hints = (name: string) => {
    const { title: _, ...told } = (tools.get(name)?.["annotations"] ?? {}) as JsonObject;
    return told;
  };

  assert.deepEqual(hints("area"), {
    readOnlyHint: true,
    idempotentHint: true,
    destructiveHint: false,
    openWorldHint: false,
  });
  assert.deepEqual(hints("remember"), {
    readOnlyHint: false,
    idempotentHint: false,
    destructiveHint: false,
    openWorldHint: false,
  });
  assert.equal(tools.get("shout")?.["title"], "Shout");
});

test("schemas that clients get have no boolean nodes [B43]", async () => {
  await using client = await newClient(overHttp, { mode: "auto" });

  const tools = await client.list();

  const schemas = tools.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]);
  assert.ok(schemas.length > 10);
  for (const schema of schemas) {
    assert.doesNotMatch(JSON.stringify(schema ?? {}), /"(?!default|const)\w+":(true|false)/);
  }
});

test("clients of two names that agree on what is right support each other; one alone does not", async () => {
  const wrong = {
    skill: "area",
    input: { width: 2, height: 3 },
    reason: "no product",
    expected: 6,
  };
  await using one = await newClient(overStdio, { mode: "legacy", name: "claude-code" });
  await using same = await newClient(overHttp, { mode: "auto", name: "Claude Code" });
  await using another = await newClient(overHttp, { mode: "auto", name: "cursor" });
  await using unnamed = await oldClient(overHttp);
  const told = async (client: TestClient) =>
    (await client.call("hone_report_failure", wrong)).structuredContent?.["result"];

  const results = [await told(one), await told(same), await told(unnamed), await told(another)];

  assert.deepEqual(results, ["alone", "alone", "alone", "supported"]);
});

test("a body-only commit is in force with the next call, and changes no list [B40 T15]", async () => {
  await using http = await newClient(overHttp, { mode: "auto" });
  await using deaf = await oldClient(overStdio);
  const before = await http.list();
  await deaf.list();

  workspace.commit({
    "skills/shout/skill.ts": SHOUT.replace("toUpperCase()", "toUpperCase() + ''"),
  });
  await follow(hone);
  const { version } = await hone.operations.skill({ name: "shout" });
  const called = await deaf.call("shout", { text: "hi" });
  await pause(700);

  assert.equal(called._meta?.["hone/commit"], version);
  assert.deepEqual(await http.list(), before);
  assert.deepEqual([http.notices(), deaf.notices()], [0, 0]);
});

test("a batch of commits that change the list is told once, over both transports [B40 B41]", async () => {
  await using http = await newClient(overHttp, { mode: "auto" });
  await using stdio = await newClient(overStdio, { mode: "auto" });
  await using old = await oldClient(overStdio);
  const clients = [http, stdio, old];
  for (const client of clients) await client.list();

  for (const name of ["one", "two", "three"]) {
    const source = `export function ${name}(a: number): number {\n  return a;\n}\n`;
    workspace.commit(skillFiles(name, { source, cases: [{ name: "a", args: [1], expect: 1 }] }));
  }
  await follow(hone);
  await until(() => clients.every((client) => client.notices() > 0));
  await pause(700);

  assert.equal(http.notices(), 1);
  for (const client of clients) {
    assert.ok(client.notices() <= 2, "a look may fall between two commits");
    assert.equal((await client.list()).length, 10);
  }
});

test("a client that never lists again still reaches a skill that came later [B40]", async () => {
  await using client = await oldClient(overHttp);
  await client.list();
  const source = "export function late(a: number): number {\n  return a;\n}\n";
  workspace.commit(skillFiles("late", { source, cases: [{ name: "a", args: [1], expect: 1 }] }));
  await follow(hone);

  const called = await client.call("hone_call", { skill: "late", input: { a: 7 } });
  const found = await client.call("hone_search", { query: "late" });

  assert.equal(called.structuredContent?.["result"], 7);
  assert.equal(found.structuredContent?.["found"], 1);
});

test("arguments of the contract before this one keep working, and those before it do not [B41]", async () => {
  await using client = await newClient(overHttp, { mode: "legacy" });
  const renamed = BAD_AREA.replaceAll("width", "wide").replaceAll("height", "high");
  const cases = `${JSON.stringify({ name: "two by two", input: { wide: 2, high: 2 }, expect: 4 })}\n`;
  const last = workspace.git("rev-list", "-1", "hone", "--", "skills/area");

  workspace.commit({ "skills/area/skill.ts": renamed, "skills/area/cases.jsonl": cases });
  await follow(hone);
  const old = await client.call("area", { width: 2, height: 2 });
  const now = await client.call("area", { wide: 2, high: 2 });

  assert.deepEqual([old.structuredContent, now.structuredContent], [{ result: 4 }, { result: 4 }]);
  assert.equal(old._meta?.["hone/commit"], last);
  assert.notEqual(now._meta?.["hone/commit"], last);
  const third = renamed.replaceAll("wide", "w");
  const { length } = (await hone.operations.incidents({}))["incidents"] as unknown[];
  workspace.commit({
    "skills/area/skill.ts": third,
    "skills/area/cases.jsonl": cases.replace("wide", "w"),
  });
  await follow(hone);
  assert.equal((await client.call("area", { wide: 2, high: 2 })).isError ?? false, false);
  assert.equal((await client.call("area", { width: 2, height: 2 })).isError, true);
  assert.equal(((await hone.operations.incidents({}))["incidents"] as unknown[]).length, length);
});

test("a skill that is pinned is the tool that its calls get", async () => {
  await using client = await newClient(overHttp, { mode: "auto" });
  const parameters = async (): Promise<readonly string[]> => {
    const tool = (await client.list()).find(({ name }) => name === "area");
    const schema = (tool?.["inputSchema"] ?? {}) as { properties?: object };
    return Object.keys(schema.properties ?? {});
  };
  const [, , first = ""] = workspace.git("rev-list", "hone", "--", "skills/area").split("\n");
  assert.deepEqual(await parameters(), ["w", "high"]);

  await hone.operations.pin({ skill: "area", version: first, by: "ann" });
  await until(() => client.notices() > 0);
  const pinned = await parameters();
  const called = await client.call("area", { width: 2, height: 2 });
  await hone.operations.unpin({ skill: "area", by: "ann" });

  assert.deepEqual([pinned, called._meta?.["hone/commit"]], [["width", "height"], first]);
});

async function until(isSo: () => boolean): Promise<void> {
  const endsAt = Date.now() + 15_000;
  while (!isSo()) {
    assert.ok(Date.now() < endsAt, "it takes too long");
    await pause(20);
  }
}
