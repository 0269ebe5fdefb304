import { once } from "node:events";
import type { Server } from "node:http";
import { HoneError } from "../../domain/errors.ts";
import { appOf } from "./app.ts";
import type { AppParts } from "./app.ts";
import type { Mount } from "./mount.ts";
import { openTcpDoor } from "./tcp-door.ts";
import type { TcpDoor, TcpSettings } from "./tcp-door.ts";
import { openUnixDoor } from "./unix-socket.ts";

export type ServeOptions = Omit<AppParts, "closing"> & {
  /** From `socketPathOf`. */
  readonly socketPath: string;
  /** The second door; null: there is none. */
  readonly tcp?: TcpSettings | null;
  /** What else is served; they are called in this order, after the routes of the API. */
  readonly mounts?: readonly Mount[];
};

/** A listening daemon; disposing it lets answers under way end for a moment, then closes all. */
export interface Serving extends AsyncDisposable {
  readonly socketPath: string;
  /** Takes no new requests, and gives answers under way this time, in milliseconds. */
  close(graceMs: number): Promise<void>;
  /** `http://host:port`; null where there is no such door. */
  readonly origin: string | null;
  /** Why there is no second door though there should be; empty: nothing is wrong. */
  readonly problem: string;
}

/** Answers under way may take this long after the server was told to close. */
const GRACE_MS = 2_000;

/**
 * Serves the operations at two doors: a Unix socket that only this user may open, and a port of
 * this machine for those that show the token. Throws `busy` where a daemon answers at the socket. A
 * port that is taken leaves the socket, and says so.
 */
export async function serve({
  socketPath,
  tcp = null,
  mounts = [],
  ...parts
}: ServeOptions): Promise<Serving> {
  const closing = new AbortController();
  let port: TcpDoor | HoneError | null = null;
  const app = appOf({ ...parts, closing: closing.signal });
  app.post("/v1/login-link", (context) => context.json({ schemaVersion: 1, link: linkOf(port) }));
  for (const mount of mounts) mount(app);
  const unix = await openUnixDoor(app.fetch, socketPath);
  if (tcp !== null) port = await openTcpDoor(app, tcp).catch(ofTheWorld);
  let closed: Promise<void> | null = null;
  const closeAll = async (graceMs: number): Promise<void> => {
    await unix.endLooking();
    closing.abort();
    const tcpServers = port === null || port instanceof HoneError ? [] : [port.server];
    await Promise.all([...unix.servers, ...tcpServers].map((server) => close(server, graceMs)));
    await unix.removeFolder();
  };
  return {
    socketPath,
    origin: port === null || port instanceof HoneError ? null : port.origin,
    problem: port instanceof HoneError ? port.message : "",
    close: async (graceMs) => await (closed ??= closeAll(graceMs)),
    [Symbol.asyncDispose]: async () => await (closed ??= closeAll(GRACE_MS)),
  };
}

function ofTheWorld(thrown: unknown): HoneError {
  if (thrown instanceof HoneError) return thrown;
  throw thrown;
}

function linkOf(port: TcpDoor | HoneError | null): string {
  if (port instanceof HoneError) throw port;
  if (port !== null) return port.link();
  throw new HoneError("refused", "The daemon listens at no port, so that no browser can reach it", {
    hint: "Set `http.port` in hone.yaml to a port above 0; `hone status` tells what else is wrong.",
  });
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
