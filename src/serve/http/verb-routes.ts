import type { Context, Hono } from "hono";
import { HoneError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Operations } from "../../ports/operations.ts";
import { idempotent, type AnswerBook } from "./idempotency.ts";
import { problemResponse } from "./problem.ts";
import { bodyOf, bodyOfQuery } from "./verb-body.ts";
import { VERB_NAMES, isRead, performer } from "./verbs.ts";

/**
 * Every verb as `POST /v1/<verb>` with a JSON body; those that only read as `GET` with a query too.
 * What changes something is carried out once per `Idempotency-Key`.
 */
export function verbRoutes(app: Hono, operations: Operations, answers: AnswerBook): void {
  const once = idempotent(answers);
  for (const verb of VERB_NAMES) {
    const path = `/v1/${verb}`;
    const perform = performer(operations, verb);
    app.post(path, async (context) => {
      const body = bodyOf(verb, await context.req.text());
      const key = isRead(verb) ? undefined : context.req.header("idempotency-key");
      const made = await once({ verb, body, key }, perform);
      return made instanceof Response ? made : answerTo(context, made.answer, made.isReplayed);
    });
    if (isRead(verb)) {
      app.get(path, async (context) =>
        answerTo(context, await perform(bodyOfQuery(verb, context.req.queries()))),
      );
    }
    app.all(path, () => notAllowed(isRead(verb) ? "GET, HEAD, POST" : "POST"));
  }
}

function answerTo(context: Context, value: JsonObject, isReplayed = false): Response {
  return context.body(JSON.stringify(value), 200, {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...(isReplayed ? { "idempotency-replayed": "true" } : {}),
  });
}

function notAllowed(allow: string): Response {
  const error = new HoneError("bad-input", `This is asked by ${allow}`);
  return problemResponse(error, { status: 405, headers: { allow } });
}
