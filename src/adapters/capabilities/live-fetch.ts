import { HoneError } from "../../domain/errors.ts";
import type { FetchAnswer } from "../../domain/trace.ts";
import type { WebAnswer, WebFetch, WebRequest } from "../../ports/web.ts";
import {
  denied,
  failed,
  failedWith,
  refused,
  responded,
  unreachable,
  type Reply,
} from "./answering.ts";
import { isGrantedUrl, namesHostAndPort } from "./granted-hosts.ts";
import { redacted } from "./redact.ts";
import type { FetchCall } from "./request-args.ts";
import { readText } from "./read-text.ts";
import { type SecretHeader, secretsFor, withSecrets } from "./secret-headers.ts";

/** What bounds a fetch. */
export type FetchBounds = {
  /** Hosts of the manifest. */
  readonly granted: readonly string[];
  readonly fetch: WebFetch;
  /** Secrets of the manifest, which the skill does not see. */
  readonly secrets: readonly SecretHeader[];
  /** Wall clock of the whole exchange, redirects and body included. */
  readonly timeoutMs: number;
  readonly bodyBytes: number;
};

/** The bounds of every skill's fetch: 30 s and 5 MB. */
export const FETCH_BOUNDS = { timeoutMs: 30_000, bodyBytes: 5 * 1024 * 1024 } as const;

const MOST_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Headers that say where a request goes or how it is framed: not the guest's to choose. */
const RESERVED = new Set(
  "host connection content-length transfer-encoding upgrade keep-alive te trailer expect".split(
    " ",
  ),
);

/** Headers that ask for a part of an answer: an echoed secret would come in parts that nobody knows. */
const CUTTING = new Set(["range", "if-range"]);

/** Headers that must not follow a redirect to another origin (Fetch standard, HTTP-redirect fetch). */
const PRIVATE = ["authorization", "cookie", "proxy-authorization"];

/**
 * Fetches within the granted hosts. Redirects are followed by hand, each hop held against the
 * grants; one that leads outside them is answered as it is. Secrets go with the hops to their own
 * hosts, and what comes back is told without them. Resolves for everything that the guest
 * or the server does; rejects with the signal's reason when aborted.
 */
export async function liveFetch(
  call: FetchCall,
  bounds: FetchBounds,
  signal: AbortSignal,
): Promise<Reply> {
  const url = URL.parse(call.url);
  if (url === null) return failed("TypeError", `Invalid URL: ${call.url}`);
  if (!isGrantedUrl(url, bounds.granted)) return denied(`fetch of ${whereOf(url)}`);
  const reply = await exchange({ ...call, url: url.href }, bounds, signal);
  return redacted(reply, bounds.secrets);
}

async function exchange(call: FetchCall, bounds: FetchBounds, signal: AbortSignal): Promise<Reply> {
  const late = AbortSignal.timeout(bounds.timeoutMs);
  try {
    return await follow(call, bounds, AbortSignal.any([signal, late]));
  } catch (thrown) {
    signal.throwIfAborted();
    const refusal = refusalIn(thrown);
    if (refusal !== null) return refused(refusal);
    if (late.aborted) return unreachable(`fetch failed: no answer within ${bounds.timeoutMs} ms`);
    return unreachable(`fetch failed: ${reasonOf(thrown)}`);
  }
}

async function follow(first: FetchCall, bounds: FetchBounds, signal: AbortSignal): Promise<Reply> {
  let call = first;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const url = new URL(call.url);
    const secrets = secretsFor(url, bounds.secrets);
    const missing = secrets.find(({ value }) => value === null);
    if (missing !== undefined) return valueless(missing);
    const request = requestOf(
      { ...call, headers: withSecrets(ownHeaders(call, secrets.length > 0), secrets) },
      signal,
    );
    if ("status" in request) return request;
    const reach = namesHostAndPort(url, bounds.granted) ? "named" : "public";
    const response = await bounds.fetch(url, request, reach);
    const next = nextCall(call, response);
    if (next === null || !isGrantedUrl(new URL(next.url), bounds.granted)) {
      return replyFrom(response, { url: call.url, redirected: hops > 0, most: bounds.bodyBytes });
    }
    await readText(response.body, 0);
    call = next;
  }
  return failed("TypeError", `fetch failed: more than ${MOST_REDIRECTS} redirects`);
}

/** No fault of the skill, so the run is neither scored nor an incident. */
function valueless({ name }: SecretHeader): Reply {
  return unreachable(`fetch failed: the secret ${name} has no value: set HONE_SECRET_${name}`);
}

function ownHeaders({ headers }: FetchCall, isSecret: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => {
      const lower = name.toLowerCase();
      return !RESERVED.has(lower) && !(isSecret && CUTTING.has(lower));
    }),
  );
}

/** The request, or what is wrong with the guest's method, headers or body. */
function requestOf(
  { url, method, headers, body }: FetchCall,
  signal: AbortSignal,
): WebRequest | Reply {
  const request = { method, headers, body, redirect: "manual", credentials: "omit" } as const;
  try {
    void new Request(url, request);
    return { ...request, signal };
  } catch (thrown) {
    return failedWith(thrown);
  }
}

/** Where a redirect leads, as the Fetch standard rewrites the call; null when it is none. */
function nextCall(call: FetchCall, { status, headers }: WebAnswer): FetchCall | null {
  const location = headers.get("location");
  if (!REDIRECTS.has(status) || location === null) return null;
  const url = URL.parse(location, call.url);
  if (url === null) return null;
  const asGet = status === 303 ? call.method !== "HEAD" : status < 303 && call.method === "POST";
  const dropped = [
    ...(asGet ? ["content-encoding", "content-language", "content-location", "content-type"] : []),
    ...(url.origin === new URL(call.url).origin ? [] : PRIVATE),
  ];
  return {
    url: url.href,
    method: asGet ? "GET" : call.method,
    headers: Object.fromEntries(
      Object.entries(call.headers).filter(([name]) => !dropped.includes(name.toLowerCase())),
    ),
    body: asGet ? null : call.body,
  };
}

async function replyFrom(
  response: WebAnswer,
  { url, redirected, most }: Pick<FetchAnswer, "url" | "redirected"> & { readonly most: number },
): Promise<Reply> {
  const body = await readText(response.body, most);
  if (body === null) return failed("RangeError", `the answer is larger than ${most} bytes`);
  const names = new Set(response.headers.keys());
  const headers = [...names].map((name) => [name, response.headers.get(name) ?? ""] as const);
  const { status } = response;
  const plainUrl = url.replace(/#.*$/s, "");
  return responded({
    status,
    headers: Object.fromEntries(headers),
    body,
    url: plainUrl,
    redirected,
  });
}

function whereOf({ protocol, host, href }: URL): string {
  return host === "" ? href.slice(0, 100) : `${protocol}//${host}`;
}

/** The border's own no, which the web hands on as the cause of its error. */
function refusalIn(thrown: unknown): string | null {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if (at instanceof HoneError && at.code === "refused") return at.message;
  }
  return null;
}

/** The system's word for a network fault: undici keeps it in the cause. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  if (!(cause instanceof Error)) return "unknown reason";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  return code || cause.message;
}
