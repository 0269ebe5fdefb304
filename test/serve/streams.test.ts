import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, before, test, afterEach } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MOST_STREAMS } from "../../src/serve/http/event-routes.ts";
import { connectTo } from "../../src/serve/http/client.ts";
import { MOST_CONNECTIONS } from "../../src/serve/http/tcp-door.ts";
import { ALLOWED, ask, openDoor, TOKEN, type Door } from "../support/http-door.ts";

/** Of which so many at a time, as far as the machine's files allow. */
const CLIENTS = 10_000;
const AT_A_TIME = 250;

const STATUS = { method: "POST", path: "/v1/status", headers: ALLOWED, body: "{}" };

const sockets = new Set<Socket>();

let door: Door;

before(async () => {
  door = await openDoor();
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
});

after(async () => await door[Symbol.asyncDispose]());

test("10,000 idle readers of events are bounded: the rest is told to come back, and memory stays flat", async () => {
  const first = await readers(AT_A_TIME);
  const open = first.filter(({ status }) => status === 200);
  const heap = heapUsed();
  const statuses = new Set<number>();
  for (let asked = AT_A_TIME; asked < CLIENTS; asked += AT_A_TIME) {
    for (const { status, socket } of await readers(AT_A_TIME)) {
      statuses.add(status);
      socket.destroy();
    }
  }
  const grown = heapUsed() - heap;
  const healthy = await ask(door, { path: "/healthz" });
  const answered = await ask(door, STATUS);

  assert.equal(open.length, MOST_STREAMS);
  assert.ok(first.some(({ head }) => /503 [\s\S]*retry-after: \d+/i.test(head)));
  assert.deepEqual([...statuses], [503]);
  assert.ok(grown < 16 * 1024 * 1024, `${grown} bytes`);
  assert.equal(healthy.status, 200);
  assert.equal(answered.status, 200);
});

test("a reader that goes makes room for another", async () => {
  const open = await untilOpen(MOST_STREAMS);
  const [refused] = await readers(1);
  for (const { socket } of open.slice(0, 3)) socket.destroy();
  const more = await untilOpen(3);

  assert.equal(refused?.status, 503);
  assert.equal(more.length, 3);
});

test("a HEAD of the stream takes no place", async () => {
  for (let at = 0; at < MOST_STREAMS + 5; at += 1) {
    const { status } = await ask(door, { method: "HEAD", path: "/v1/events", headers: ALLOWED });
    assert.equal(status, 200);
  }
  const [reader] = await untilOpen(1);
  assert.equal(reader?.status, 200);
});

test("connections beyond the most are closed at once, and the socket is not concerned", async () => {
  const sockets = Array.from({ length: MOST_CONNECTIONS + 20 }, () => {
    const socket = connected();
    return socket;
  });
  const closed = await Promise.race(
    sockets.map((socket) => once(socket, "close").then(() => true)),
  );
  await using client = await connectTo({ kind: "unix", socketPath: door.serving.socketPath }, "");
  const answered = await client?.status();

  assert.equal(closed, true);
  assert.equal(answered?.["verb"], "status");
});

test("connections without a token are answered, however many", async () => {
  const answers = await Promise.all(Array.from({ length: AT_A_TIME }, () => reader("")));

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401]));
});

type Reader = { readonly status: number; readonly head: string; readonly socket: Socket };

/** So many open streams; those that went before may not be gone yet. */
async function untilOpen(count: number): Promise<Reader[]> {
  const open: Reader[] = [];
  const endsAt = Date.now() + 60_000;
  while (open.length < count) {
    assert.ok(Date.now() < endsAt, "places come free");
    const [one] = await readers(1);
    if (one?.status === 200) open.push(one);
    else await pause(10);
  }
  return open;
}

async function readers(count: number): Promise<Reader[]> {
  const header = `authorization: Bearer ${TOKEN}\r\n`;
  return await Promise.all(Array.from({ length: count }, () => reader(header)));
}

/**
 * One reader. A connection beyond the most is closed without a word, which happens here while the
 * door has not seen yet that those before are gone: it comes again.
 */
async function reader(header: string): Promise<Reader> {
  for (;;) {
    const socket = connected();
    socket.write(`GET /v1/events HTTP/1.1\r\nhost: ${door.host}\r\n${header}\r\n`);
    const head = await Promise.race([firstOf(socket), once(socket, "close").then(() => null)]);
    if (head !== null) return { status: Number(head.split(" ")[1]), head, socket };
    await pause(10);
  }
}

async function firstOf(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, "data")) as [Buffer];
  return chunk.toString("latin1");
}

/** A connection; it is gone after the test. */
function connected(): Socket {
  const socket = connect(door.port, "127.0.0.1");
  sockets.add(socket);
  socket.on("error", () => undefined);
  socket.on("close", () => sockets.delete(socket));
  return socket;
}

/** What is left after a collection, in bytes. */
function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
