import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import { problemResponse } from "./problem.ts";
import type { Problem } from "./problem.ts";

/** What guards see beside the request: Node's own view of it. */
export type DoorEnv = { readonly Bindings: HttpBindings };

/** The kinds of body that a browser sends across origins without asking first are not among them. */
const BODY_TYPES = ["application/json"];

/** The form of the login page is the one exception. */
const FORM_PATH = "/login";
const FORM_TYPE = "application/x-www-form-urlencoded";

/**
 * Against DNS rebinding (a foreign name that resolves to this machine): the request names this door
 * as its host, once, and asks for a path. 421 otherwise.
 */
export function hostGuard(hosts: () => readonly string[]): MiddlewareHandler<DoorEnv> {
  return async (context, next) => {
    const { rawHeaders, url } = context.env.incoming;
    const named = rawHeaders.filter(
      (_, at) => rawHeaders[at - 1]?.toLowerCase() === "host" && at % 2 === 1,
    );
    const [host = ""] = named;
    if (
      named.length === 1 &&
      hosts().includes(host.toLowerCase()) &&
      url?.startsWith("/") === true
    ) {
      return await next();
    }
    return refused(421, "This is not the host that the request names");
  };
}

/**
 * Against pages of other origins, those of other ports of this machine included. A browser says
 * where a request comes from; a link to a page may come from anywhere. 403 otherwise.
 */
export const originGuard: MiddlewareHandler<DoorEnv> = async (context, next) => {
  const origin = context.req.header("origin");
  if (origin !== undefined && origin !== ownOrigin(context)) {
    return refused(403, "Requests of other origins are not answered");
  }
  const site = context.req.header("sec-fetch-site") ?? "none";
  if (site === "same-origin" || site === "none" || isNavigation(context)) return await next();
  return refused(403, "Requests of other sites are not answered");
};

/** Bodies are JSON. 415 otherwise. */
export const typeGuard: MiddlewareHandler<DoorEnv> = async (context, next) => {
  if (["GET", "HEAD"].includes(context.req.method)) return await next();
  const [type = ""] = (context.req.header("content-type") ?? "").split(";");
  const isForm = context.req.path === FORM_PATH && type.trim() === FORM_TYPE;
  if (isForm || BODY_TYPES.includes(type.trim().toLowerCase())) return await next();
  return refused(415, "The body must be application/json");
};

/** The origin of this door, as the page's browser names it; the host is checked before. */
export function ownOrigin(context: Context): string {
  return `http://${context.req.header("host")?.toLowerCase() ?? ""}`;
}

function isNavigation({ req }: Context): boolean {
  return (
    req.method === "GET" &&
    req.header("sec-fetch-mode") === "navigate" &&
    req.header("sec-fetch-dest") === "document"
  );
}

function refused(status: number, message: string, code: Problem["code"] = "refused"): Response {
  return problemResponse({ code, message, hint: "", retryable: false }, { status });
}
