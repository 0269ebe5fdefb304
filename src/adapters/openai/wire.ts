import type { WebAnswer, WebRequest } from "../../ports/web.ts";
import { completionOfStream, isEventStream } from "./event-stream.ts";

/** One exchange over HTTP, without any time limit of its own. */
export type Exchange = (url: URL, request: WebRequest) => Promise<WebAnswer>;

/** What went wrong between here and a server that says what it does. */
export type WireFault = "refused" | "broken" | "too-large" | "not-json" | "redirected";

/** Why there is no answer that could be read. */
export class WireError extends Error {
  readonly fault: WireFault;

  constructor(fault: WireFault, message: string) {
    super(message);
    this.name = "WireError";
    this.fault = fault;
  }
}

/** Bytes of an answer at most: far more than any completion, far less than the memory. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * `fetch` as the client of the package wants it, over one exchange. Every body is read here, whole
 * and bounded, whatever its content type says; streams become one completion, and each form of
 * refusal becomes `{"error": {"message"}}`. Of the request's headers only those pass that a server
 * needs: nothing tells it of the machine. Throws WireError, or the signal's reason.
 */
export function wireFetch(exchange: Exchange, key: string | null): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const signal = init?.signal ?? new AbortController().signal;
    const body = typeof init?.body === "string" ? init.body : null;
    const {
      status,
      text: sent,
      retryAfter,
    } = await exchanged(exchange, url, {
      method: init?.method ?? "GET",
      headers: headersOf(body, key),
      body,
      redirect: "manual",
      credentials: "omit",
      signal,
    });
    // Servers may repeat the key, in what they answer and in what they refuse.
    const text = key === null || key === "" ? sent : sent.replaceAll(key, "***");
    const headers = { "content-type": "application/json", ...retryAfter };
    const isGood = status >= 200 && status < 300;
    const standard = isGood ? readable(text) : JSON.stringify({ error: refusalIn(text) });
    return new Response(standard, { status, headers });
  };
}

type Exchanged = {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: { readonly "retry-after"?: string };
};

/** One exchange, read to its end. Throws WireError, or the signal's reason. */
async function exchanged(exchange: Exchange, url: URL, request: WebRequest): Promise<Exchanged> {
  try {
    const { status, headers, body } = await exchange(url, request);
    const retryAfter = headers.get("retry-after");
    if (status >= 300 && status < 400) {
      await discard(body);
      throw new WireError("redirected", `it redirects to ${headers.get("location") ?? "nowhere"}`);
    }
    return {
      status: isOrdinary(status) ? status : 502,
      text: await textOf(body),
      retryAfter: retryAfter === null ? {} : { "retry-after": retryAfter },
    };
  } catch (thrown) {
    request.signal.throwIfAborted();
    throw thrown instanceof WireError ? thrown : wireErrorOf(thrown);
  }
}

function headersOf(body: string | null, key: string | null): Record<string, string> {
  return {
    accept: "application/json",
    "user-agent": "hone",
    ...(body === null ? {} : { "content-type": "application/json" }),
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  };
}

async function textOf(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the body, which closes the connection.
    if (length > MOST_BYTES)
      throw new WireError("too-large", `it sent more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  // JSON is UTF-8 whatever the header says (RFC 8259, 8.1); a byte order mark is dropped.
  return new TextDecoder().decode(Buffer.concat(chunks)).trim();
}

async function discard(body: AsyncIterable<Uint8Array> | null): Promise<void> {
  for await (const _chunk of body ?? []) return;
}

/** The text of a good answer as JSON. Throws WireError `not-json`. */
function readable(text: string): string {
  if (isEventStream(text)) return JSON.stringify(completionOfStream(text));
  if (jsonIn(text) === undefined) {
    const start = JSON.stringify(text.slice(0, 60));
    throw new WireError("not-json", `its answer is not JSON and begins with ${start}`);
  }
  return text;
}

/** What a refusal says, wherever its server puts it. */
function refusalIn(text: string): { readonly message: string } {
  const said = messageAt(jsonIn(text)) ?? (text === "" ? "it gives no reason" : text);
  // llama.cpp writes the size of its context beside the message.
  const context = /"n_ctx"\s*:\s*(\d+)/.exec(text)?.[1];
  const whole = context === undefined ? said : `${said} (n_ctx ${context})`;
  return { message: whole.slice(0, 2_000) };
}

/** Neither one that has no body by definition nor one that is none: `Response` refuses those. */
function isOrdinary(status: number): boolean {
  return status >= 200 && status <= 599 && ![204, 205, 304].includes(status);
}

/** Servers put a reason this deep at most. */
const DEEPEST_REASON = 5;

function messageAt(value: unknown, depth = 0): string | null {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth > DEEPEST_REASON) return null;
  for (const name of ["error", "message", "detail", "msg"]) {
    const inner: unknown = (value as Record<string, unknown>)[name];
    const said = Array.isArray(inner) ? listed(inner) : messageAt(inner, depth + 1);
    if (said !== null && said !== "") return said;
  }
  return null;
}

/** A list as text; too deep a one says nothing. */
function listed(values: readonly unknown[]): string | null {
  try {
    return JSON.stringify(values);
  } catch {
    return null;
  }
}

/** The value of a JSON text; undefined where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function wireErrorOf(thrown: unknown): WireError {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  const { code = "", message = "" } = cause as {
    readonly code?: string;
    readonly message?: string;
  };
  const refused = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"];
  if (refused.includes(code) || code === "UND_ERR_CONNECT_TIMEOUT") {
    return new WireError("refused", `nothing answers there (${code})`);
  }
  return new WireError("broken", `the connection broke (${code || message || "no reason"})`);
}
