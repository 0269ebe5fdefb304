import { createAdaptorServer } from "@hono/node-server";
import { once } from "node:events";
import { chmod, lstat, mkdir, rm, rmdir } from "node:fs/promises";
import { connect } from "node:net";
import type { Server } from "node:http";
import path from "node:path";
import { HoneError, boundary } from "../../domain/errors.ts";
import { appOf } from "./app.ts";
import type { AppParts } from "./app.ts";
import { isMadeForSocket } from "./socket-path.ts";

export type ServeOptions = Omit<AppParts, "closing"> & {
  /** From `socketPathOf`. */
  readonly socketPath: string;
};

/** A listening daemon; disposing it lets answers under way end for a moment, then closes all. */
export interface Serving extends AsyncDisposable {
  readonly socketPath: string;
  /** Takes no new requests, and gives answers under way this time, in milliseconds. */
  close(graceMs: number): Promise<void>;
}

/** How often it is looked whether the socket is still there, in milliseconds. */
const LOOK_MS = 1_000;

/** Answers under way may take this long after the server was told to close. */
const GRACE_MS = 2_000;

/**
 * Listens on a Unix socket that only this user may open: mode 0600 in a folder of mode 0700. A
 * socket nobody answers at is replaced; throws `busy` where somebody does. One that is deleted
 * meanwhile is made again.
 */
export async function serve({ socketPath, ...parts }: ServeOptions): Promise<Serving> {
  await makePrivate(path.dirname(socketPath));
  await refuseSecond(socketPath);
  await rm(socketPath, { force: true });
  const closing = new AbortController();
  const app = appOf({ ...parts, closing: closing.signal });
  const listen = async (): Promise<Server> => await listening(app.fetch, socketPath);
  const servers = [await listen()];
  let looking = Promise.resolve();
  const look = async (): Promise<void> => {
    if (!(await isMissing(socketPath))) return;
    // Closed first: to close is to remove the socket of that name, whosever it is.
    servers.at(-1)?.close();
    servers.push(await listen());
  };
  const timer = setInterval(() => {
    // Where it cannot be made now, the next look tries again.
    looking = looking.then(look).catch(() => undefined);
  }, LOOK_MS);
  timer.unref();
  let closed: Promise<void> | null = null;
  const closeAll = async (graceMs: number): Promise<void> => {
    clearInterval(timer);
    await looking;
    closing.abort();
    await Promise.all(servers.map((server) => close(server, graceMs)));
    const dir = path.dirname(socketPath);
    if (isMadeForSocket(dir)) await rmdir(dir);
  };
  return {
    socketPath,
    close: async (graceMs) => await (closed ??= closeAll(graceMs)),
    [Symbol.asyncDispose]: async () => await (closed ??= closeAll(GRACE_MS)),
  };
}

async function listening(
  fetch: Parameters<typeof createAdaptorServer>[0]["fetch"],
  socketPath: string,
): Promise<Server> {
  const server = createAdaptorServer({ fetch }) as Server;
  // An idle connection is closed by its client: one that is just being used again must not be.
  server.keepAliveTimeout = 0;
  const border = { code: "daemon-unreachable", retryable: false } as const;
  await boundary(border, `Listening on ${socketPath}`, async () => {
    server.listen(socketPath);
    await once(server, "listening");
    await chmod(socketPath, 0o600);
  });
  return server;
}

/** Whether the socket is gone from a folder that is there; a whole folder is nobody's accident. */
async function isMissing(socketPath: string): Promise<boolean> {
  const dir = path.dirname(socketPath);
  if (isMadeForSocket(dir)) await makePrivate(dir);
  const [folder, socket] = await Promise.all([
    lstat(dir).catch(() => null),
    lstat(socketPath).catch(() => null),
  ]);
  return folder !== null && socket === null;
}

/** The folder, ours and closed to others. Throws `refused` for one that somebody else made. */
async function makePrivate(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const found = await lstat(dir);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new HoneError("refused", `${dir} is no folder of this user`, {
      hint: "Remove it, or run hone as the user that owns the workspace.",
    });
  }
  await chmod(dir, 0o700);
}

/** Throws `busy` where a daemon answers at the socket. */
export async function refuseSecond(socketPath: string): Promise<void> {
  if (await isAnswered(socketPath)) {
    throw new HoneError("busy", `A daemon already serves this workspace at ${socketPath}`, {
      hint: "`hone status` shows what it is doing.",
    });
  }
}

async function isAnswered(socketPath: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(socketPath);
  socket.once("connect", () => resolve(true));
  socket.once("error", () => resolve(false));
  const isUp = await promise;
  socket.destroy();
  return isUp;
}

async function close(server: Server, graceMs: number): Promise<void> {
  // Answers that end with the work itself need a moment longer.
  const timer = setTimeout(() => server.closeAllConnections(), graceMs + 500);
  const closed = once(server, "close");
  server.close();
  // A connection that answers now is kept alive and becomes idle only later.
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  await closed;
  clearTimeout(timer);
  clearInterval(sweep);
}
