import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** What becomes of a call: it reaches the engine, or is refused, not found, cut off, never answered. */
export type Fate = "passes" | "refused" | "missing" | "cut" | "hangs";

export type EngineProxy = {
  readonly socket: string;
  /** What was called, such as `POST /containers/ID/start`. */
  readonly calls: string[];
  /** Decides over each call from now on. */
  fate: (call: string) => Fate;
  /** Cuts every stream that is open now. */
  cutStreams(): void;
} & AsyncDisposable;

/** Stands between hone and a real engine, to break single calls. */
export async function engineProxy(target: string): Promise<EngineProxy> {
  const dir = await mkdtemp(path.join(tmpdir(), "hone-proxy-"));
  const socket = path.join(dir, "engine.sock");
  const streams = new Set<Socket>();
  const server = createServer((incoming, response) => {
    const fate = proxy.fate(callOf(incoming));
    switch (fate) {
      case "cut":
        return void incoming.socket.destroy();
      case "refused":
        return refuse(response, 500);
      case "missing":
        return refuse(response, 404);
      case "hangs":
        return void incoming.resume();
      case "passes":
        return forward(target, incoming, response);
    }
  });
  server.on("upgrade", (incoming: IncomingMessage, stream: Socket, head: Buffer) => {
    const fate = proxy.fate(callOf(incoming));
    stream.on("error", () => undefined);
    if (fate !== "passes" && fate !== "hangs") return stream.destroy();
    streams.add(stream);
    if (fate === "hangs") return stream;
    return tunnel(target, incoming, { stream, head });
  });
  const proxy: EngineProxy = {
    socket,
    calls: [],
    fate: () => "passes",
    cutStreams() {
      for (const stream of streams) stream.destroy();
      streams.clear();
    },
    async [Symbol.asyncDispose]() {
      proxy.cutStreams();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(dir, { recursive: true, force: true });
    },
  };
  const decide = (call: string): Fate => {
    proxy.calls.push(call);
    return "passes";
  };
  proxy.fate = decide;
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return proxy;
}

/** Ids are the same word in all calls. */
function callOf({ method, url = "" }: IncomingMessage): string {
  const where = url.split("?")[0] ?? "";
  return `${method} ${where.replace(/(?:sha256(?::|%3A))?[0-9a-f]{64}/, "ID")}`;
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end('{"message":"the engine is broken"}');
}

function forward(target: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = incoming;
  const outgoing = request({ socketPath: target, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  response.on("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
}

/** An attached stream: the request goes as it came, then bytes both ways. */
function tunnel(
  target: string,
  { method, url, rawHeaders }: IncomingMessage,
  { stream, head }: { readonly stream: Socket; readonly head: Buffer },
): void {
  const engine = connect(target);
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : [],
  );
  engine.write(`${[`${method} ${url} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`);
  engine.write(head);
  engine.pipe(stream).pipe(engine);
  const end = (): void => void (engine.destroy(), stream.destroy());
  for (const one of [engine, stream]) one.on("error", end).on("close", end);
}
