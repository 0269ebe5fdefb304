import { hide } from "./clock.ts";
import type { Bare, Intrinsics } from "./intrinsics.ts";

/** What the host answers a fetch with. */
export type Fetched = {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly url: string;
  readonly redirected: boolean;
};

/** A Response as skills know it. The body is text and may be read more than once. */
export function responseOf(of: Intrinsics, told: Fetched): object {
  const { status, body } = told;
  const response = {
    status,
    ok: status >= 200 && status <= 299,
    statusText: statusTextOf(status),
    url: told.url,
    redirected: told.redirected,
    headers: headersView(of, told.headers),
  };
  const text = async (): Promise<string> => body;
  const json = async (): Promise<unknown> => of.parse(body);
  hide(of, response, "text", text);
  hide(of, response, "json", json);
  hide(of, response, "clone", () => responseOf(of, told));
  return response;
}

/** The fields of an answer, found by name in any case, told in the order in which they came. */
function headersView(of: Intrinsics, fields: Record<string, string>): object {
  const known = { __proto__: null } as unknown as Record<string, string>;
  const names = of.ownKeys(fields) as string[];
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] as string;
    known[of.lower(name)] = fields[name] as string;
  }
  const get = (name: unknown): string | null => known[of.lower(of.text(name))] ?? null;
  function* entries(): Generator<[string, string]> {
    const listed = of.ownKeys(known) as string[];
    for (let at = 0; at < listed.length; at += 1) {
      const name = listed[at] as string;
      yield [name, known[name] as string];
    }
  }
  const view = {};
  hide(of, view, "get", get);
  hide(of, view, "has", (name: unknown) => get(name) !== null);
  hide(of, view, "entries", entries);
  hide(of, view, Symbol.iterator, entries);
  hide(of, view, "keys", function* (): Generator<string> {
    for (const [name] of entries()) yield name;
  });
  hide(of, view, "values", function* (): Generator<string> {
    for (const [, value] of entries()) yield value;
  });
  hide(of, view, "forEach", (each: (value: string, name: string, view: object) => void) => {
    const listed = of.ownKeys(known) as string[];
    for (let at = 0; at < listed.length; at += 1) {
      const name = listed[at] as string;
      each(known[name] as string, name, view);
    }
  });
  return view;
}

/** HTTP/1.1's phrases for the codes that skills meet. */
function statusTextOf(status: number): string {
  const phrases: Readonly<Record<number, string>> & Bare = {
    __proto__: null,
    200: "OK",
    201: "Created",
    202: "Accepted",
    204: "No Content",
    301: "Moved Permanently",
    302: "Found",
    304: "Not Modified",
    307: "Temporary Redirect",
    308: "Permanent Redirect",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    409: "Conflict",
    410: "Gone",
    422: "Unprocessable Entity",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
  };
  return phrases[status] ?? "";
}

/** The functions of this file, which become the text of the prelude. */
export const RESPONSE_PARTS = [responseOf, headersView, statusTextOf];
