import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { createServer as createRawServer } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { HoneError } from "../../src/domain/errors.ts";
import type { HoneEvent } from "../../src/ports/store.ts";
import { BODY_BYTES } from "../../src/serve/http/app.ts";
import { connect } from "../../src/serve/http/client.ts";
import { serve } from "../../src/serve/http/server.ts";
import type { ServeOptions, Serving } from "../../src/serve/http/server.ts";
import { socketPathOf } from "../../src/serve/http/socket-path.ts";
import { aFolder } from "../support/hone.ts";
import { answerBook } from "../support/answer-book.ts";
import { scriptedOperations } from "../support/scripted-operations.ts";

test("only this user may open the socket, and it is gone after closing", async (t) => {
  const dir = await aFolder(t);
  const socketPath = path.join(dir, "run", "hone.sock");

  const serving = await serve(options(socketPath));
  const [folder, socket] = [await stat(path.dirname(socketPath)), await stat(socketPath)];
  await serving[Symbol.asyncDispose]();

  assert.equal(folder.mode & 0o777, 0o700);
  assert.equal(socket.mode & 0o777, 0o600);
  assert.deepEqual(await readdir(path.dirname(socketPath)), []);
});

test("a socket that a killed daemon left behind is replaced", async (t) => {
  const dir = await aFolder(t);
  const socketPath = path.join(dir, "hone.sock");
  await leaveStaleSocket(socketPath);

  const stale = await connect(socketPath);
  await using _serving = await serve(options(socketPath));
  await using client = await connect(socketPath);

  assert.equal(stale, null);
  assert.ok(client !== null);
});

test("a second daemon is told that the first is there", async (t) => {
  const socketPath = path.join(await aFolder(t), "hone.sock");
  await using _first = await serve(options(socketPath));

  await assert.rejects(serve(options(socketPath)), { code: "busy" });

  await using client = await connect(socketPath);
  assert.ok(client !== null, "the first still answers");
});

test("a client that was busy for long is answered on the connection that it has", async (t) => {
  const socketPath = path.join(await aFolder(t), "hone.sock");
  await using _serving = await serve(options(socketPath));
  await using client = await connect(socketPath);
  await client?.task({ id: "before" });

  // Longer than a server of Node keeps idle connections: 5 s, and a second of grace.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_200);
  const answer = await client?.task({ id: "after" });

  assert.deepEqual(answer?.["request"], { id: "after" });
});

test("without a daemon there is no client", async (t) => {
  const dir = await aFolder(t);
  await writeFile(path.join(dir, "file"), "no socket");

  assert.equal(await connect(path.join(dir, "hone.sock")), null);
  assert.equal(await connect(path.join(dir, "no", "folder", "hone.sock")), null);
  assert.equal(await connect(path.join(dir, "file")), null);
});

test("a daemon that does not answer is busy, not absent", async (t) => {
  const socketPath = path.join(await aFolder(t), "hone.sock");
  const mute = createRawServer().listen(socketPath);
  await once(mute, "listening");
  t.after(() => mute.close());

  await assert.rejects(connect(socketPath), { code: "busy" });
});

test("a daemon that dies during a request is unreachable", async (t) => {
  const socketPath = path.join(await aFolder(t), "hone.sock");
  const dying = createServer((incoming, response) => {
    if (incoming.url === "/healthz") return response.end("{}");
    response.writeHead(200, { "content-length": "100" }).write("{");
    setImmediate(() => response.destroy());
  }).listen(socketPath);
  await once(dying, "listening");
  t.after(() => dying.close());
  await using client = await connect(socketPath);
  assert.ok(client !== null);

  await assert.rejects(client.status(), { code: "daemon-unreachable" });
});

test("a body nested too deep is the caller's mistake, not a bug", async (t) => {
  await using serving = await serveIn(t);
  const deep = "[".repeat(5_000) + "]".repeat(5_000);
  const body = `{"skill":"s","input":{"a":${deep}}}`;

  const { status, problem } = await asked(serving, "POST", "/v1/call", body);

  assert.equal(status, 400);
  assert.match(JSON.stringify(problem), /nested deeper than 64 levels.*"bad-input"/);
});

test("what is wrong with a request is told in sentences", async (t) => {
  await using serving = await serveIn(t);
  const ask = (url: string, body: string): Promise<{ status: number; problem: unknown }> =>
    asked(serving, "POST", url, body);

  assert.deepEqual(await ask("/v1/skill", "{"), {
    status: 400,
    problem: problemOf(400, "bad-input", "The body is not JSON"),
  });
  assert.deepEqual(await ask("/v1/nothing", "{}"), {
    status: 404,
    problem: problemOf(404, "not-found", "There is no /v1/nothing"),
  });
  const unknown = await ask("/v1/improve", '{"skil": "x", "skill": 1}');
  assert.equal(unknown.status, 400);
  assert.match(JSON.stringify(unknown.problem), /skill: .*string.*skil/);
  assert.equal((await ask("/v1/call", '{"skill": "x", "input": [1]}')).status, 400);
});

test("a request that is too large is refused, and the next one is served", async (t) => {
  await using serving = await serveIn(t);
  await using client = await connect(serving.socketPath);
  assert.ok(client !== null);
  const input = { text: "x".repeat(BODY_BYTES) };

  await assert.rejects(client.call({ skill: "s", input }), { code: "bad-input" });

  assert.equal((await client.status())["verb"], "status");
});

test("a bug is told to the daemon, which has answered by then", async (t) => {
  const bugs: unknown[] = [];
  await using serving = await serveIn(t, { onBug: (thrown) => bugs.push(thrown) });

  const answer = await asked(serving, "POST", "/v1/skill", '{"name": "has a bug"}');

  assert.equal(answer.status, 500);
  assert.equal(bugs.length, 1);
  assert.ok(bugs[0] instanceof Error && !(bugs[0] instanceof HoneError));
});

test("events stream from where the reader left off until it goes", async (t) => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const since: number[] = [];
  await using serving = await serveIn(t, {
    events: async function* (from, signal) {
      since.push(from);
      yield anEvent(from + 1, "run.scored");
      yield anEvent(from + 2, "incident.opened");
      await once(signal, "abort");
      end();
    },
  });

  const response = await opened(serving, "/v1/events", { "last-event-id": "7" });
  let received = "";
  for await (const part of response) {
    received += String(part);
    if (received.includes("id: 9")) break;
  }
  await ended;

  assert.deepEqual(since, [7]);
  assert.equal(response.headers["content-type"], "text/event-stream");
  assert.match(received, /^id: 8\nevent: run\.scored\ndata: \{.*\}\n\nid: 9\nevent: incident/);
});

test("closing does not wait for a reader of events", async (t) => {
  const serving = await serveIn(t, {
    events: async function* (from, signal) {
      yield anEvent(from, "run.scored");
      await once(signal, "abort");
    },
  });
  const response = await opened(serving, "/v1/events", {});
  response.on("error", () => undefined);

  await serving[Symbol.asyncDispose]();

  assert.equal(existsSync(serving.socketPath), false);
});

test("a workspace too deep for a socket's path has a private folder in /tmp", async (t) => {
  const shallow = await aFolder(t);
  const deep = path.join(shallow, "x".repeat(100));
  await mkdir(deep);

  assert.equal(path.basename(socketPathOf(shallow)), "hone.sock");
  const socketPath = socketPathOf(deep);
  assert.ok(Buffer.byteLength(socketPath) <= 100);
  assert.equal(socketPath, socketPathOf(deep), "the same for every process");
  const serving = await serve(options(socketPath));
  assert.equal((await stat(path.dirname(socketPath))).mode & 0o777, 0o700);
  await serving[Symbol.asyncDispose]();
  assert.equal(existsSync(path.dirname(socketPath)), false);
});

function options(socketPath: string, over: Partial<ServeOptions> = {}): ServeOptions {
  return {
    socketPath,
    operations: scriptedOperations(),
    answers: answerBook(),
    events: async function* () {},
    onBug: (thrown) => {
      throw thrown;
    },
    ...over,
  };
}

async function serveIn(t: TestContext, over: Partial<ServeOptions> = {}): Promise<Serving> {
  return await serve(options(path.join(await aFolder(t), "hone.sock"), over));
}

async function opened(
  { socketPath }: Serving,
  url: string,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  const asking = request({ socketPath, path: url, headers }).end();
  asking.on("error", () => undefined);
  const [response] = (await once(asking, "response")) as [IncomingMessage];
  return response;
}

async function asked(
  { socketPath }: Serving,
  method: string,
  url: string,
  body: string,
): Promise<{ status: number; problem: unknown }> {
  const asking = request({ socketPath, path: url, method }).end(body);
  const [response] = (await once(asking, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, problem: JSON.parse(await text(response)) };
}

function problemOf(status: 400 | 404, code: string, detail: string): object {
  const title = status === 400 ? "Bad Request" : "Not Found";
  return { title, status, detail, code, hint: "", retryable: false };
}

function anEvent(id: number, kind: string): HoneEvent {
  return { id, at: 0, kind, skill: null, detail: {} };
}

async function leaveStaleSocket(socketPath: string): Promise<void> {
  const script = `require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`;
  const child = spawn(process.execPath, ["-e", script, socketPath]);
  await once(child, "close");
}
