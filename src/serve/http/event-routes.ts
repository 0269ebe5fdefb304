import type { Hono } from "hono";
import { HoneError } from "../../domain/errors.ts";
import { eventStream } from "./event-stream.ts";
import type { EventSource } from "./event-stream.ts";
import { problemResponse } from "./problem.ts";

/** Streams that are open at a time, at both doors together. */
export const MOST_STREAMS = 64;

/**
 * `GET /v1/events`: what happens, as server-sent events, from behind `Last-Event-ID` (or `since`)
 * on. Each stream costs a connection and a place; one too many is asked to come back later.
 */
export function eventRoutes(app: Hono, events: EventSource, closing: AbortSignal): void {
  let open = 0;
  app.get("/v1/events", (context) => {
    const since = context.req.header("last-event-id") ?? context.req.query("since") ?? "0";
    const start = sinceOf(since);
    // Nobody reads what follows a HEAD, so that nobody would end it.
    if (context.req.method === "HEAD") return new Response(null, { headers: HEADERS });
    if (open >= MOST_STREAMS) return tooMany();
    open += 1;
    const stream = eventStream(events, start, closing, () => {
      open -= 1;
    });
    return new Response(stream, { headers: HEADERS });
  });
}

const HEADERS = { "content-type": "text/event-stream", "cache-control": "no-store" };

function sinceOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new HoneError("bad-input", `since must be the number of an event, not ${text}`);
}

function tooMany(): Response {
  const message = `There are ${MOST_STREAMS} streams of events already`;
  const error = new HoneError("busy", message, {
    hint: "Close one, or try again.",
    retryable: true,
  });
  return problemResponse(error, { headers: { connection: "close" } });
}
