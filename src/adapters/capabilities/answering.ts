import { messageOf } from "../../domain/errors.ts";
import type { Json } from "../../domain/json.ts";
import type { Answer, FetchAnswer, Request } from "../../domain/trace.ts";

/** An answer before it is known whose request it answers. */
export type Reply =
  | { readonly status: "resolved"; readonly value: Json }
  | {
      readonly status: "rejected";
      readonly name: string;
      readonly message: string;
      readonly cause: "denied" | "unrecorded" | "network" | "failed";
    };

/** The request's answer, as the guest is told it. */
export function answerTo(request: Pick<Request, "id">, reply: Reply): Answer {
  return { id: request.id, ...reply };
}

export function resolved(value: Json): Reply {
  return { status: "resolved", value };
}

/** The reply that carries a response of the web. */
export function responded({ status, headers, body, url, redirected }: FetchAnswer): Reply {
  return resolved({ status, headers, body, url, redirected });
}

/** Refused by the manifest: `what` completes the sentence "is not granted". */
export function denied(what: string): Reply {
  const message = `${what} is not granted. Name it under "capabilities" in SKILL.md, or do without.`;
  return { status: "rejected", name: "NotGrantedError", message, cause: "denied" };
}

/** Refused because of where the address leads, whatever the manifest says of the host. */
export function refused(what: string): Reply {
  const message = `${what}. Name the host with its port under "capabilities" in SKILL.md where that is meant.`;
  return { status: "rejected", name: "NotGrantedError", message, cause: "denied" };
}

/** Refused by a recorded world, which has no answer to it. */
export function unrecorded(what: string): Reply {
  const message = `${what} is not recorded. Record its answer in the case, or ask only for what is recorded.`;
  return { status: "rejected", name: "NotRecordedError", message, cause: "unrecorded" };
}

/** The world was out of reach: a fault below HTTP, not of the skill. */
export function unreachable(message: string): Reply {
  return { status: "rejected", name: "TypeError", message, cause: "network" };
}

/** The request itself came to a bad end. */
export function failed(name: string, message: string): Reply {
  return { status: "rejected", name, message, cause: "failed" };
}

/** The same, from something thrown. */
export function failedWith(thrown: unknown): Reply {
  return failed(thrown instanceof Error ? thrown.name : "Error", messageOf(thrown));
}

/** The reply to a request of a shape that `ctx` never makes. */
export function malformed({ kind }: Pick<Request, "kind">): Reply {
  return failed("TypeError", `not a request that ctx makes: ${kind.slice(0, 40)}`);
}

/** Requests and timers of one run that may wait for an answer at a time. */
export const MOST_WAITING = 10_000;

/** The reply to a request beyond `MOST_WAITING`. */
export function tooMany(): Reply {
  return failed("RangeError", `more than ${MOST_WAITING} requests and timers at once`);
}
