import { createAdaptorServer } from "@hono/node-server";
import { once } from "node:events";
import { chmod, lstat, mkdir, rm, rmdir } from "node:fs/promises";
import type { Server } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { HoneError, boundary } from "../../domain/errors.ts";
import { isMadeForSocket } from "./socket-path.ts";

type Fetch = Parameters<typeof createAdaptorServer>[0]["fetch"];

/** Servers at one socket: the last listens, the others end their answers. */
export type UnixDoor = {
  readonly servers: readonly Server[];
  /** Ends the looking; the folder that was made for the socket goes once the servers are closed. */
  readonly endLooking: () => Promise<void>;
  readonly removeFolder: () => Promise<void>;
};

/** How often it is looked whether the socket is still there, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * Listens on a Unix socket that only this user may open: mode 0600 in a folder of mode 0700. A
 * socket nobody answers at is replaced; throws `busy` where somebody does. One that is deleted
 * meanwhile is made again.
 */
export async function openUnixDoor(fetch: Fetch, socketPath: string): Promise<UnixDoor> {
  await makePrivate(path.dirname(socketPath));
  await refuseSecond(socketPath);
  await rm(socketPath, { force: true });
  const servers = [await listening(fetch, socketPath)];
  let looking = Promise.resolve();
  const look = async (): Promise<void> => {
    if (!(await isMissing(socketPath))) return;
    // Closed first: to close is to remove the socket of that name, whosever it is.
    servers.at(-1)?.close();
    servers.push(await listening(fetch, socketPath));
  };
  const timer = setInterval(() => {
    // Where it cannot be made now, the next look tries again.
    looking = looking.then(look).catch(() => undefined);
  }, LOOK_MS);
  timer.unref();
  return {
    servers,
    async endLooking() {
      clearInterval(timer);
      await looking;
    },
    async removeFolder() {
      const dir = path.dirname(socketPath);
      if (isMadeForSocket(dir)) await rmdir(dir);
    },
  };
}

async function listening(fetch: Fetch, socketPath: string): Promise<Server> {
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
