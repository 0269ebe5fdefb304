import { Hono } from "hono";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HoneError, messageOf } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import { unfitJson } from "../../domain/json-text.ts";
import type { Operations } from "../../ports/operations.ts";
import { eventStream } from "./event-stream.ts";
import type { EventSource } from "./event-stream.ts";
import { problemResponse } from "./problem.ts";
import { VERBS, VERB_NAMES, performer } from "./verbs.ts";
import type { Verb } from "./verbs.ts";

export type AppParts = {
  readonly operations: Operations;
  readonly events: EventSource;
  /** Told of a bug, after the client got its answer: the daemon ends itself then. */
  readonly onBug: (thrown: unknown) => void;
  /** Ends the streams: the server is about to close. */
  readonly closing: AbortSignal;
};

/** The largest request, in bytes. */
export const BODY_BYTES = 1024 * 1024;

/** The daemon's HTTP interface: every verb of `Operations`, its health, and the event stream. */
export function appOf({ operations, events, onBug, closing }: AppParts): Hono {
  const app = new Hono();
  app.onError((thrown) => answerError(thrown, onBug));
  app.notFound((context) =>
    problemResponse(new HoneError("not-found", `There is no ${context.req.path}`)),
  );
  app.get("/healthz", (context) => context.json({ ok: true, pid: process.pid }));
  app.get("/v1/events", (context) => {
    const since = context.req.header("last-event-id") ?? context.req.query("since") ?? "0";
    return new Response(eventStream(events, sinceOf(since), closing), {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
  });
  app.use("/v1/*", bodyLimit({ maxSize: BODY_BYTES, onError: tooLarge }));
  for (const verb of VERB_NAMES) {
    const perform = performer(operations, verb);
    app.post(`/v1/${verb}`, async (context) =>
      answer(context, await perform(bodyOf(verb, await context.req.text()))),
    );
  }
  return app;
}

function sinceOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new HoneError("bad-input", `since must be the number of an event, not ${text}`);
}

/** The validated body of a verb; an empty body is an empty object. Throws `bad-input`. */
function bodyOf(verb: Verb, text: string): unknown {
  // Further than this no body is walked; what is too deep for an input is for the operations to say.
  const unfit = unfitJson(text);
  if (unfit !== null) throw new HoneError("bad-input", `The body ${unfit}`);
  const parsed = VERBS[verb].safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join(".") || "the body"}: ${message}`,
  );
  throw new HoneError("bad-input", `${verb} cannot take this: ${problems.join("; ")}`);
}

function jsonOf(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch (cause) {
    throw new HoneError("bad-input", "The body is not JSON", { cause });
  }
}

function tooLarge(): Response {
  const error = new HoneError("bad-input", `The request is larger than ${BODY_BYTES} bytes`, {
    hint: "Send it in parts.",
  });
  return problemResponse(error, { status: 413 });
}

function answer(context: Context, value: JsonObject): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return context.body(JSON.stringify(value), 200, headers);
}

function answerError(thrown: unknown, onBug: AppParts["onBug"]): Response {
  if (thrown instanceof HoneError) return problemResponse(thrown);
  setImmediate(() => onBug(thrown));
  const message = messageOf(thrown);
  return problemResponse({ code: "internal", message, hint: "", retryable: false });
}
