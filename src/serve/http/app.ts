import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HoneError, messageOf } from "../../domain/errors.ts";
import type { Operations } from "../../ports/operations.ts";
import { eventRoutes } from "./event-routes.ts";
import type { Around } from "./around.ts";
import type { EventSource } from "./event-stream.ts";
import type { AnswerBook } from "./idempotency.ts";
import { openApiDocument } from "./openapi.ts";
import { problemResponse } from "./problem.ts";
import { verbRoutes } from "./verb-routes.ts";

export type AppParts = {
  readonly operations: Operations;
  readonly events: EventSource;
  /** Where answers are kept by their `Idempotency-Key`. */
  readonly answers: AnswerBook;
  /** Told of a bug, after the client got its answer: the daemon ends itself then. */
  readonly onBug: (thrown: unknown) => void;
  /** Ends the streams: the server is about to close. */
  readonly closing: AbortSignal;
  /** Put around each request; absent: nothing. */
  readonly around?: Around | undefined;
};

/** The largest request, in bytes. */
export const BODY_BYTES = 1024 * 1024;

/**
 * The daemon's HTTP interface: every verb of `Operations`, the stream of events, its health, and its
 * description. Every failure is a problem of RFC 9457.
 */
export function appOf({ operations, events, answers, onBug, closing, around }: AppParts): Hono {
  const app = new Hono();
  if (around !== undefined) app.use(async ({ req }, next) => await around(req.header(), next));
  app.onError((thrown) => answerError(thrown, onBug));
  app.notFound((context) =>
    problemResponse(new HoneError("not-found", `There is no ${context.req.path}`)),
  );
  app.get("/healthz", (context) => context.json({ ok: true, pid: process.pid }));
  app.get("/readyz", async (context) => {
    if (closing.aborted) throw new HoneError("busy", "The daemon is ending", { retryable: true });
    // The least that needs the ledger: where that cannot be read, nothing can be asked.
    const isReady = await operations.budget({}).then(
      () => true,
      () => false,
    );
    if (isReady) return context.json({ ok: true });
    throw new HoneError("busy", "The ledger cannot be read", { hint: "See `hone status`." });
  });
  app.get("/openapi.json", (context) => context.json(openApiDocument()));
  app.use("/v1/*", bodyLimit({ maxSize: BODY_BYTES, onError: tooLarge }));
  eventRoutes(app, events, closing);
  verbRoutes(app, operations, answers);
  return app;
}

function tooLarge(): Response {
  const error = new HoneError("bad-input", `The request is larger than ${BODY_BYTES} bytes`, {
    hint: "Send it in parts.",
  });
  return problemResponse(error, { status: 413 });
}

function answerError(thrown: unknown, onBug: AppParts["onBug"]): Response {
  if (thrown instanceof HoneError) return problemResponse(thrown);
  setImmediate(() => onBug(thrown));
  const message = messageOf(thrown);
  return problemResponse({ code: "internal", message, hint: "", retryable: false });
}
