import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { once } from "node:events";
import { boundary } from "../../domain/errors.ts";
import { hostGuard, originGuard, typeGuard } from "./guards.ts";
import type { DoorEnv } from "./guards.ts";
import { loginRoutes, tokenGuard } from "./login.ts";
import { sessionsOf } from "./session.ts";

export type TcpSettings = {
  /** An address of this machine alone. */
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly token: string;
};

/** A listening port. */
export type TcpDoor = {
  readonly server: Server;
  /** `http://host:port`. */
  readonly origin: string;
  /** A link that lets a browser in, once and for two minutes. */
  readonly link: () => string;
};

/** Time for a request's headers, and for all of it, in milliseconds: against slow senders. */
const HEADERS_MS = 5_000;
const REQUEST_MS = 30_000;

/** Connections at a time; more are closed at once. The Unix socket has no part in that. */
export const MOST_CONNECTIONS = 512;

const HEADER_BYTES = 8 * 1024;

/**
 * Listens on a port of this machine: before the app sees a request, its host, its origin, its token
 * and its body's type are looked at, in this order. Throws `busy` where the port is taken.
 */
export async function openTcpDoor(app: Hono, settings: TcpSettings): Promise<TcpDoor> {
  const { host, token } = settings;
  const sessions = sessionsOf(token, Date.now);
  let port = settings.port;
  const parts = { token, sessions, cookieName: () => `hone-${port}` };
  const guarded = new Hono<DoorEnv>()
    .use(secureHeaders(HEADERS))
    .use(
      hostGuard(() => namesOf(host, port)),
      originGuard,
      tokenGuard(parts),
      typeGuard,
    )
    // Who has no token learns that it is there, not which process it is.
    .get("/healthz", (context) => context.json({ ok: true }))
    .route("/", loginRoutes(parts))
    .all("*", async (context) => await app.fetch(context.req.raw, context.env));
  const server = createAdaptorServer({ fetch: guarded.fetch, serverOptions: LIMITS }) as Server;
  server.maxConnections = MOST_CONNECTIONS;
  const border = { code: "busy", retryable: false, hint: HINT } as const;
  await boundary(border, `Listening on port ${port} of ${host}`, async () => {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
  });
  port = (server.address() as AddressInfo).port;
  const origin = `http://${nameOf(host, port)}`;
  return { server, origin, link: () => `${origin}/login?code=${sessions.offer()}` };
}

const HINT = "Set `http.port` in hone.yaml to another one, or to 0 for none.";

const LIMITS = {
  maxHeaderSize: HEADER_BYTES,
  headersTimeout: HEADERS_MS,
  requestTimeout: REQUEST_MS,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 60_000,
};

/** Nothing but ours is loaded, framed, or told where one came from; no script stands in a page. */
const HEADERS: Parameters<typeof secureHeaders>[0] = {
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", "data:"],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: "DENY",
  // `no-referrer` would make browsers send `Origin: null` with the form of the login page.
  referrerPolicy: "same-origin",
  crossOriginResourcePolicy: "same-origin",
  crossOriginOpenerPolicy: "same-origin",
  strictTransportSecurity: false,
};

/** The names that a request may call this door by. */
function namesOf(host: string, port: number): readonly string[] {
  return [nameOf(host, port), `localhost:${port}`];
}

function nameOf(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
