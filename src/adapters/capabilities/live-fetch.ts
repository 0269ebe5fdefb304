import type { FetchAnswer } from "../../domain/trace.ts";
import { denied, failed, failedWith, responded, unreachable, type Reply } from "./answering.ts";
import { isGrantedUrl } from "./granted-hosts.ts";
import type { FetchCall } from "./request-args.ts";
import { readText } from "./read-text.ts";

/** What bounds a fetch. */
export type FetchBounds = {
  /** Hosts of the manifest. */
  readonly granted: readonly string[];
  readonly fetch: typeof fetch;
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

/** Headers that must not follow a redirect to another origin (Fetch standard, HTTP-redirect fetch). */
const PRIVATE = ["authorization", "cookie", "proxy-authorization"];

/**
 * Fetches within the granted hosts. Redirects are followed by hand, each hop held against the
 * grants; one that leads outside them is answered as it is. Resolves for everything that the guest
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
  const late = AbortSignal.timeout(bounds.timeoutMs);
  try {
    return await follow({ ...call, url: url.href }, bounds, AbortSignal.any([signal, late]));
  } catch (thrown) {
    signal.throwIfAborted();
    if (late.aborted) return unreachable(`fetch failed: no answer within ${bounds.timeoutMs} ms`);
    return unreachable(`fetch failed: ${reasonOf(thrown)}`);
  }
}

async function follow(first: FetchCall, bounds: FetchBounds, signal: AbortSignal): Promise<Reply> {
  let call = first;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const request = requestOf(call, signal);
    if (!(request instanceof Request)) return request;
    const response = await bounds.fetch(request);
    const next = nextCall(call, response);
    if (next === null || !isGrantedUrl(new URL(next.url), bounds.granted)) {
      return replyFrom(response, { url: call.url, redirected: hops > 0, most: bounds.bodyBytes });
    }
    await response.body?.cancel();
    call = next;
  }
  return failed("TypeError", `fetch failed: more than ${MOST_REDIRECTS} redirects`);
}

/** The request, or what is wrong with the guest's method, headers or body. */
function requestOf(
  { url, method, headers, body }: FetchCall,
  signal: AbortSignal,
): Request | Reply {
  try {
    const own = Object.entries(headers).filter(([name]) => !RESERVED.has(name.toLowerCase()));
    const init = { method, headers: own, redirect: "manual", credentials: "omit" } as const;
    return new Request(url, { ...init, body, signal });
  } catch (thrown) {
    return failedWith(thrown);
  }
}

/** Where a redirect leads, as the Fetch standard rewrites the call; null when it is none. */
function nextCall(call: FetchCall, { status, headers }: Response): FetchCall | null {
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
  response: Response,
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

/** The system's word for a network fault: undici keeps it in the cause. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  if (!(cause instanceof Error)) return "unknown reason";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  return code || cause.message;
}
