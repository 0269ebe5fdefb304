import { createHash } from "node:crypto";
import { HoneError } from "../../domain/errors.ts";
import { canonical, type Json, type JsonObject } from "../../domain/json.ts";
import { problemResponse } from "./problem.ts";
import type { Verb } from "./verbs.ts";

/** Where answers are kept by the keys of their requests; the ledger is one. */
export type AnswerBook = {
  readonly keptAnswer: (key: string) => KeptAnswer | null;
  readonly keepAnswer: (key: string, kept: KeptAnswer) => void;
};

/** `request` is a digest of what was asked. */
export type KeptAnswer = { readonly request: string; readonly answer: JsonObject };

type Request = { readonly verb: Verb; readonly body: unknown; readonly key: string | undefined };

/** What became of a request: an answer that may be an earlier one, or a refusal. */
export type Kept = { readonly answer: JsonObject; readonly isReplayed: boolean } | Response;

/**
 * Requests with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header) are carried out once:
 * the same request is given the same answer, also after a restart; another request with the key is
 * refused (422), and so is the same one while it is carried out (409). A request that failed did
 * nothing that counts, and may be tried again.
 */
export function idempotent(
  book: AnswerBook,
): (request: Request, perform: (body: unknown) => Promise<JsonObject>) => Promise<Kept> {
  const underWay = new Set<string>();
  return async ({ verb, body, key: text }, perform) => {
    if (text === undefined) return { answer: await perform(body), isReplayed: false };
    const key = digestOf(`${verb} ${keyOf(text)}`);
    const request = digestOf(canonical(body as Json));
    const kept = book.keptAnswer(key);
    if (kept !== null) {
      return kept.request === request ? { answer: kept.answer, isReplayed: true } : reused();
    }
    if (underWay.has(key)) return stillUnderWay();
    underWay.add(key);
    try {
      const answer = await perform(verb === "submit" ? withIds(body, key) : body);
      book.keepAnswer(key, { request, answer });
      return { answer, isReplayed: false };
    } finally {
      underWay.delete(key);
    }
  };
}

/** The header is a string of RFC 8941, in quotes; without them it is taken as well. */
function keyOf(text: string): string {
  const key = /^"([\x20-!#-[\]-~]{1,255})"$|^([!#-[\]-~]{1,255})$/.exec(text.trim());
  const found = key?.[1] ?? key?.[2];
  if (found !== undefined) return found;
  throw new HoneError("bad-input", "Idempotency-Key must be one to 255 printable characters");
}

/**
 * Tasks without an id get one of the key, so that they are queued once even where the daemon died
 * before it could keep the answer.
 */
function withIds(body: unknown, key: string): unknown {
  const { tasks } = body as { readonly tasks: readonly JsonObject[] };
  const named = tasks.map((task, at) => ({ id: `task_${key.slice(0, 24)}_${at + 1}`, ...task }));
  return { tasks: named };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function reused(): Response {
  const message = "Another request was made with this Idempotency-Key";
  const hint = "A key belongs to one request; use a fresh one.";
  return problemResponse(new HoneError("refused", message, { hint }), { status: 422 });
}

function stillUnderWay(): Response {
  const message = "The request with this Idempotency-Key is still being carried out";
  const error = new HoneError("busy", message, { retryable: true });
  return problemResponse(error, { status: 409, headers: { "retry-after": "1" } });
}
