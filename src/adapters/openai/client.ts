import type { default as OpenAI } from "openai";
import { messageOf } from "../../domain/errors.ts";
import type { Json, JsonObject } from "../../domain/json.ts";
import { deadline } from "./deadline.ts";
import { WireError, wireFetch, type Exchange, type WireFault } from "./wire.ts";

/** What came of one request: the answer, a refusal of the server, or nothing that could be read. */
export type Asked =
  | { readonly status: "answered"; readonly answer: JsonObject }
  | {
      readonly status: "refused";
      /** HTTP's. */
      readonly code: number;
      readonly message: string;
      /** Null: the server names no time. */
      readonly retryAfterMs: number | null;
    }
  | { readonly status: "failed"; readonly fault: WireFault | "late"; readonly message: string };

/** An OpenAI-compatible server, as one client of the npm package `openai` talks with it. */
export type Client = {
  /** One POST to `/chat/completions`; rejects with the signal's reason alone. */
  readonly ask: (body: JsonObject, signal: AbortSignal, limitMs: number) => Promise<Asked>;
  /** One GET of an absolute URL of the same server; null: no answer in JSON with status 200. */
  readonly look: (url: string, signal: AbortSignal, limitMs: number) => Promise<Asked>;
};

/** A limit that the package cannot reach: deadlines are kept here. setTimeout takes no more. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * A client for one base URL. Nothing is retried; nothing is read from the environment, logged, or
 * told in an error that has the key in it. The package is loaded with the first request.
 */
export function createClient(
  baseUrl: string,
  {
    exchange,
    key,
    now,
  }: {
    readonly exchange: Exchange;
    readonly key: string | null;
    readonly now: () => number;
  },
): Client {
  const fetch = wireFetch(exchange, key);
  let loading: Promise<OpenAI> | null = null;
  const asking = async (
    call: (client: OpenAI, signal: AbortSignal) => Promise<unknown>,
    signal: AbortSignal,
    limitMs: number,
  ): Promise<Asked> => {
    signal.throwIfAborted();
    using limit = deadline(signal, limitMs);
    try {
      const value = await call(await (loading ??= load(baseUrl, fetch)), limit.signal);
      return answered(value as Json);
    } catch (thrown) {
      signal.throwIfAborted();
      if (limit.isOver()) {
        return { status: "failed", fault: "late", message: `no answer within ${limitMs} ms` };
      }
      return unmasked(await failureOf(thrown, now), key);
    }
  };
  return {
    ask: async (body, signal, limitMs) =>
      await asking(
        async (client, within) =>
          await client.chat.completions.create(
            body as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming,
            { signal: within },
          ),
        signal,
        limitMs,
      ),
    look: async (url, signal, limitMs) =>
      await asking(
        async (client, within) => await client.get(url, { signal: within }),
        signal,
        limitMs,
      ),
  };
}

async function load(baseURL: string, fetch: typeof globalThis.fetch): Promise<OpenAI> {
  const { OpenAI } = await import("openai");
  return new OpenAI({
    baseURL,
    // The package wants one; whether a key is sent is decided in `wireFetch`.
    apiKey: "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_LIMIT_MS,
    logLevel: "off",
    fetch,
  });
}

/** Some servers refuse with status 200. */
function answered(value: Json): Asked {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { status: "failed", fault: "not-json", message: "its answer is no JSON object" };
  }
  const answer = value as JsonObject;
  const error = answer["error"];
  if (error === undefined || error === null || Array.isArray(answer["choices"])) {
    return { status: "answered", answer };
  }
  const message = typeof error === "string" ? error : JSON.stringify(error);
  return { status: "refused", code: 500, message, retryAfterMs: null };
}

async function failureOf(thrown: unknown, now: () => number): Promise<Asked> {
  const { APIError, APIConnectionError } = await import("openai");
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  if (cause instanceof WireError) {
    return { status: "failed", fault: cause.fault, message: cause.message };
  }
  if (!(thrown instanceof APIError) || thrown instanceof APIConnectionError) {
    return { status: "failed", fault: "broken", message: messageOf(cause) };
  }
  const { status: code = 0, error, headers } = thrown as InstanceType<typeof APIError>;
  const { message = "it gives no reason" } = (error ?? {}) as { readonly message?: string };
  return {
    status: "refused",
    code,
    message: message.replace(/\s+/g, " ").trim(),
    retryAfterMs: retryAfterIn(headers?.get("retry-after") ?? null, now),
  };
}

/** Seconds or a date (RFC 9110, 10.2.3) as milliseconds from now. */
function retryAfterIn(value: string | null, now: () => number): number | null {
  if (value === null) return null;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** Servers may repeat the key in what they refuse. */
function unmasked(asked: Asked, key: string | null): Asked {
  if (asked.status === "answered" || key === null) return asked;
  return { ...asked, message: asked.message.replaceAll(key, "***") };
}
