import { Hono } from "hono";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { html } from "hono/html";
import { HoneError } from "../../domain/errors.ts";
import { stylesheet } from "./dashboard.ts";
import { ownOrigin } from "./guards.ts";
import type { DoorEnv } from "./guards.ts";
import { problemResponse } from "./problem.ts";
import { SESSION_MS } from "./session.ts";
import type { Sessions } from "./session.ts";
import { isToken } from "./token.ts";

export type LoginParts = {
  readonly token: string;
  readonly sessions: Sessions;
  /** Cookies know no ports: those of two workspaces must differ by name. */
  readonly cookieName: () => string;
};

/** Whoever asks for these has no token yet, or needs none. */
const OPEN_PATHS = /^\/(healthz|readyz|login|icon\.svg|assets\/[\w.-]+\.css)$/;

/**
 * Lets in who shows the token as a bearer (RFC 6750) or, from a browser, the cookie of a session.
 * A cookie is sent by the browser on its own, so what changes something must come from our page.
 */
export function tokenGuard({
  token,
  sessions,
  cookieName,
}: LoginParts): MiddlewareHandler<DoorEnv> {
  return async (context, next) => {
    if (OPEN_PATHS.test(context.req.path)) return await next();
    const bearer = /^Bearer +(\S+) *$/i.exec(context.req.header("authorization") ?? "")?.[1];
    if (bearer !== undefined && isToken(bearer, token)) return await next();
    const cookie = bearer === undefined ? getCookie(context, cookieName()) : undefined;
    if (cookie !== undefined && sessions.isGood(cookie) && isOurs(context)) return await next();
    return isPage(context) ? context.redirect("/login", 303) : unauthorized();
  };
}

/** The page where a browser shows the token or a link, and is given its cookie. */
export function loginRoutes({ token, sessions, cookieName }: LoginParts): Hono<DoorEnv> {
  const app = new Hono<DoorEnv>();
  const look = lookOf(stylesheet());
  const enter = (context: Context): void =>
    setCookie(context, cookieName(), sessions.begin(), {
      httpOnly: true,
      sameSite: "Strict",
      path: "/",
      maxAge: SESSION_MS / 1000,
    });
  app.get("/login", (context) => {
    const code = context.req.query("code");
    if (code === undefined) return context.html(loginPage(look));
    if (!sessions.redeem(code))
      return context.html(loginPage(look, "This link was used, or is old."), 401);
    enter(context);
    // Not a redirect: after a link on another site's page, a strict cookie would not be sent along.
    return context.html(enteredPage(look));
  });
  app.post("/login", async (context) => {
    if (context.req.header("origin") !== ownOrigin(context)) return unauthorized();
    const { token: shown } = await context.req.parseBody();
    if (typeof shown !== "string" || !isToken(shown.trim(), token)) {
      return context.html(loginPage(look, "This is not the token."), 401);
    }
    enter(context);
    return context.redirect("/", 303);
  });
  return app;
}

function isOurs(context: Context): boolean {
  const isRead = ["GET", "HEAD"].includes(context.req.method);
  return isRead || context.req.header("origin") === ownOrigin(context);
}

function isPage({ req }: Context): boolean {
  return req.method === "GET" && (req.header("accept") ?? "").includes("text/html");
}

function unauthorized(): Response {
  const error = new HoneError("unauthorized", "The token is missing or wrong", {
    hint: "Send `Authorization: Bearer` with the text in data/run/token; a browser gets in through `hone dashboard`.",
  });
  return problemResponse(error, { headers: { "www-authenticate": "Bearer" } });
}

type Html = ReturnType<typeof html>;

function pageOf(head: Html, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>hone</title>
        <link rel="icon" href="/icon.svg" />
        ${head}
      </head>
      <body>
        <main class="login">${body}</main>
      </body>
    </html>`;
}

/** The look of the dashboard; its files hold no secret. */
function lookOf(file: string | undefined): Html {
  return file === undefined ? html`` : html`<link rel="stylesheet" href="${file}" />`;
}

function loginPage(look: Html, problem = ""): Html {
  return pageOf(
    look,
    html`<h1 class="brand"><img src="/icon.svg" width="24" height="24" alt="" /> hone</h1>
      <form class="card" method="post" action="/login">
        ${problem === "" ? "" : html`<p class="note bad" role="alert">${problem}</p>`}
        <label for="token">Token</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          required
          autofocus
        />
        <button class="primary">Log in</button>
      </form>
      <p class="muted">
        The token stands in <code>data/run/token</code> of the workspace;
        <code>hone dashboard</code> prints a link that needs none.
      </p>`,
  );
}

function enteredPage(look: Html): Html {
  return pageOf(
    html`${look}<meta http-equiv="refresh" content="0;url=/" />`,
    html`<p><a href="/">Go on to the dashboard</a></p>`,
  );
}
