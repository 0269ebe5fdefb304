import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { askHealth } from "../../../src/adapters/model-server/ask-health.ts";
import { startOf } from "../../../src/adapters/model-server/process-table.ts";
import { isPortOf } from "../../../src/adapters/model-server/port-owner.ts";
import { modelSettings } from "../../../src/config-model.ts";
import { modelFor } from "../../../src/daemon/compose-model.ts";
import { superviseModel } from "../../../src/daemon/model/supervise-model.ts";
import { aFolder } from "../../support/hone.ts";
import { modelServer } from "../../support/model-server.ts";
import { notesInMemory } from "../../support/models.ts";

const KEY = "sk-do-not-tell";
const NEVER = new AbortController().signal;

/** A program that listens at a port and writes down every header it is sent. */
async function listener(t: TestContext, status = 200) {
  const heard: string[] = [];
  const server: Server = createServer((request, response) => {
    heard.push(JSON.stringify(request.rawHeaders));
    response.writeHead(status, { "content-type": "application/json" });
    response.end('{"data":[{"id":"thief"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return { heard, port };
}

test("whoever listens at the port of hone's own server before it is started is sent no key", async (t) => {
  const { heard, port } = await listener(t);
  const settings = modelSettings.parse({ key: "K", serve: { command: "exit 1", port } });
  const surroundings = { dir: await aFolder(t), env: { K: KEY }, notes: notesInMemory() };

  await using model = modelFor(settings, { ...surroundings, now: Date.now, loadingMs: 0 });
  const state = await model?.state(NEVER);
  const card = await model?.card(NEVER);

  assert.deepEqual([state?.status, card], ["llm_unreachable", null]);
  assert.deepEqual(heard, []);
});

test("nor is it where hone's server is on record and another program has its port", async (t) => {
  const { heard, port } = await listener(t);
  const dir = await aFolder(t);
  await mkdir(path.join(dir, "data/run"), { recursive: true });
  // Its supervisor runs; its server is a process that listens nowhere.
  const startedAt = startOf(process.ppid) ?? "";
  const own = { pid: process.ppid, startedAt };
  const record = { phase: "ready", supervisor: own, place: { kind: "process", ...own } };
  await writeFile(path.join(dir, "data/run/model.json"), JSON.stringify(record));
  const settings = modelSettings.parse({ key: "K", serve: { command: "exit 1", port } });

  const surroundings = { dir, env: { K: KEY }, notes: notesInMemory(), now: Date.now };
  await using model = modelFor(settings, { ...surroundings, loadingMs: 0 });

  assert.equal((await model?.state(NEVER))?.status, "llm_unreachable");
  assert.deepEqual(heard, []);
});

test("a server that a person named gets its key", async (t) => {
  await using server = await modelServer({});
  const settings = modelSettings.parse({ key: "K", url: server.url });
  const surroundings = { dir: await aFolder(t), env: { K: KEY }, notes: notesInMemory() };

  await using model = modelFor(settings, { ...surroundings, now: Date.now });

  assert.equal((await model?.state(NEVER))?.status, "ready");
});

test("health is asked without a key, and a server that wants one is ready", async (t) => {
  const { heard, port } = await listener(t, 401);

  const health = await askHealth(`http://127.0.0.1:${port}/v1`);

  assert.deepEqual(health, { status: "ready", models: [] });
  assert.ok(heard.every((headers) => !/authorization/i.test(headers)));
});

test("a port that somebody listens at is taken, whatever they answer", async (t) => {
  const server = createServer();
  server.on("connection", (socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
  const reasons: string[] = [];

  const outcome = await superviseModel(
    {
      server: {
        start: async () => assert.fail("it was started"),
        stop: async () => undefined,
        isThere: async () => false,
      },
      askHealth,
      url,
      loadMs: 1_000,
      report: async ({ reason }) => void reasons.push(reason),
    },
    NEVER,
  );

  assert.equal(outcome, "failed");
  assert.match(reasons.at(-1) ?? "", /something else listens at/);
});

test("the kernel tells whose port it is", async (t) => {
  const { port } = await listener(t);

  assert.equal(isPortOf(port, [process.pid]), true);
  assert.equal(isPortOf(port, [process.ppid]), false);
  assert.equal(isPortOf(port, []), false);
});
