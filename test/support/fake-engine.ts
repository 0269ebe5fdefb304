import { createServer, type Server, type ServerResponse } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Socket } from "node:net";
import { Engine } from "../../src/adapters/docker/engine.ts";

/** What a scripted engine answers: a status and JSON, or nothing at all. */
export type Reply = { readonly status: number; readonly json?: unknown } | "nothing";

/**
 * Answers like a container engine, by a script. The script is asked with the method and the path,
 * such as `GET /containers/abc/json`; an attached stream is handed to `attached`.
 */
export async function fakeEngine(
  script: (what: string) => Reply,
  attached: (socket: Socket) => void = () => undefined,
): Promise<{ readonly engine: Engine; readonly socket: string } & AsyncDisposable> {
  const dir = await mkdtemp(path.join(tmpdir(), "hone-engine-"));
  const socket = path.join(dir, "engine.sock");
  const server = createServer((request, response) => {
    request.resume();
    answer(response, script(`${request.method} ${request.url?.split("?")[0]}`));
  });
  server.on("upgrade", (_request, stream: Socket) => {
    stream.write("HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n");
    stream.on("error", () => undefined);
    attached(stream);
  });
  await listening(server, socket);
  return {
    engine: new Engine({ socket, env: {} }),
    socket,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === "nothing") return;
  response.writeHead(reply.status, { "content-type": "application/json" });
  response.end(reply.json === undefined ? "" : JSON.stringify(reply.json));
}

function listening(server: Server, socket: string): Promise<void> {
  return new Promise((resolve) => server.listen(socket, resolve));
}
