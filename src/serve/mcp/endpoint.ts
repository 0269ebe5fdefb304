import { createMcpHandler } from "@modelcontextprotocol/server";
import type { HoneEvent } from "../../ports/store.ts";
import { BODY_BYTES } from "../http/app.ts";
import { mcpServers, type McpParts } from "./server.ts";

export type EndpointParts = McpParts & {
  /** Calls its listener with every event of the house, from now on. */
  readonly onEvent: (listener: (event: Pick<HoneEvent, "kind">) => void) => void;
  readonly quietMs?: number;
  /** Aborted when the house is about to close: whoever only listens is let go. */
  readonly closing: AbortSignal;
};

/** Answers requests of MCP clients; disposing it ends those under way and all that listen. */
export type Endpoint = {
  readonly fetch: (request: Request) => Promise<Response>;
} & AsyncDisposable;

/** Changes that come within so many milliseconds are told in one notice. */
const QUIET_MS = 500;

/** A list that has changed is told after so many milliseconds, however much goes on changing. */
const LONGEST_MS = 5_000;

/**
 * MCP by streamable HTTP, without sessions, for whoever the doors let in. Clients that listen are told
 * when the list of tools has changed, and only then.
 */
export function mcpEndpoint(parts: EndpointParts): Endpoint {
  const handler = createMcpHandler(mcpServers(parts), { maxRequestBodySize: BODY_BYTES });
  const changes = batched(() => parts.list.refresh(), parts.quietMs ?? QUIET_MS);
  parts.list.onChange(() => handler.notify.toolsChanged());
  parts.onEvent(({ kind }) => {
    if (/^(release|commit|skill)\./.test(kind)) changes.soon();
  });
  return {
    fetch: (request) => handler.fetch(isListening(request) ? ending(request, parts) : request),
    [Symbol.asyncDispose]: async () => {
      changes.stop();
      await handler.close();
    },
  };
}

/** Whether a request asks for notices alone, and so never ends by itself; the new era says it in a header. */
function isListening({ headers }: Request): boolean {
  return headers.get("mcp-method") === "subscriptions/listen";
}

function ending(request: Request, { closing }: Pick<EndpointParts, "closing">): Request {
  return new Request(request, { signal: AbortSignal.any([request.signal, closing]) });
}

/** Does the work once the calls of `soon` have been still for a while, and in the end if they never are. */
function batched(
  work: () => Promise<void>,
  quietMs: number,
): { readonly soon: () => void; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let since: number | null = null;
  let working = Promise.resolve();
  return {
    soon: () => {
      since ??= performance.now();
      clearTimeout(timer);
      const leftMs = Math.max(0, LONGEST_MS - (performance.now() - since));
      timer = setTimeout(
        () => {
          since = null;
          working = working.then(work);
        },
        Math.min(quietMs, leftMs),
      ).unref();
    },
    stop: () => clearTimeout(timer),
  };
}
