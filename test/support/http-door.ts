import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { HoneEvent } from "../../src/ports/store.ts";
import { serve, type ServeOptions, type Serving } from "../../src/serve/http/server.ts";
import { answerBook } from "./answer-book.ts";
import { scriptedOperations } from "./scripted-operations.ts";

export const TOKEN = "0123456789abcdef".repeat(4);

/** Headers of a client that has the token and sends JSON. */
export const ALLOWED = {
  authorization: `Bearer ${TOKEN}`,
  "content-type": "application/json",
} as const;

/** A server at both doors, over scripted operations, at a free port. */
export type Door = AsyncDisposable & {
  readonly serving: Serving;
  readonly port: number;
  /** `127.0.0.1:port`. */
  readonly host: string;
};

export async function openDoor(over: Partial<ServeOptions> = {}): Promise<Door> {
  const dir = await mkdtemp(path.join(tmpdir(), "hone-test-"));
  const serving = await serve({
    socketPath: path.join(dir, "hone.sock"),
    operations: scriptedOperations(),
    answers: answerBook(),
    events: async function* (_since, signal): AsyncGenerator<HoneEvent> {
      yield* [];
      await once(signal, "abort");
    },
    onBug: (thrown) => {
      throw thrown;
    },
    tcp: { host: "127.0.0.1", port: 0, token: TOKEN },
    ...over,
  });
  const host = (serving.origin ?? "").slice("http://".length);
  return {
    serving,
    host,
    port: Number(host.split(":")[1]),
    async [Symbol.asyncDispose]() {
      await serving[Symbol.asyncDispose]();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** One request at the port, with exactly these headers beside `Host`. */
export async function ask(
  { port }: Pick<Door, "port">,
  asked: {
    readonly method?: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
): Promise<Answer> {
  const { method = "GET", headers = {}, body = "" } = asked;
  const sent = request({
    host: "127.0.0.1",
    port,
    method,
    path: asked.path,
    headers,
    agent: false,
  });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await text(response),
  };
}

/** What the port answers to bytes, until it closes the connection. */
export async function askRaw({ port }: Pick<Door, "port">, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", () => undefined);
  socket.write(bytes);
  await once(socket, "close");
  return received;
}
