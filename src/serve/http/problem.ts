import { STATUS_CODES } from "node:http";
import { ERROR_CODES, HoneError } from "../../domain/errors.ts";
import type { HoneErrorCode } from "../../domain/errors.ts";

/**
 * What goes over the wire when a request failed: a problem of RFC 9457, whose type is about:blank
 * (it is left out), with three members more. `internal` is a bug of the daemon.
 */
export type Problem = {
  /** The phrase of the status, as RFC 9457 wants it for about:blank. */
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: HoneErrorCode | "internal";
  readonly hint: string;
  readonly retryable: boolean;
};

/** What a problem is made of. */
export type Fault = Pick<HoneError, "message" | "hint" | "retryable"> & Pick<Problem, "code">;

/** Seconds after which a request that was refused for a while may be tried again. */
const RETRY_AFTER_S = 5;

/** The answer that tells a problem; by default with the status that goes with its code. */
export function problemResponse(
  fault: Fault,
  {
    status = statusOf(fault.code),
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const { code, message, hint, retryable } = fault;
  const title = STATUS_CODES[status] ?? "Error";
  const problem: Problem = { title, status, detail: message, code, hint, retryable };
  const all = {
    "content-type": "application/problem+json",
    ...(status === 503 ? { "retry-after": String(RETRY_AFTER_S) } : {}),
    ...headers,
  };
  return new Response(JSON.stringify(problem), { status, headers: all });
}

/** The HTTP status that goes with an error's code. */
function statusOf(code: Problem["code"]): number {
  switch (code) {
    case "usage":
    case "bad-config":
    case "bad-skill":
    case "bad-input":
    case "bad-reward":
    case "bad-suite":
      return 400;
    case "unauthorized":
      return 401;
    case "not-found":
      return 404;
    case "refused":
    case "no-improvement":
    case "git-conflict":
      return 409;
    case "busy":
    case "daemon-unreachable":
    case "sandbox-unavailable":
    case "model-unreachable":
      return 503;
    case "capability-failed":
      return 502;
    case "editor-failed":
    case "git-failed":
    case "store-failed":
    case "internal":
      return 500;
  }
}

/** The error that a problem stands for: the same HoneError, or a plain Error for a bug. */
export function errorOf(body: unknown, status: number): Error {
  const problem = body as Partial<Problem> | null;
  const message = problem?.detail ?? `the daemon answered with HTTP ${status}`;
  const code = ERROR_CODES.find((each) => each === problem?.code);
  if (code === undefined) return new Error(message);
  return new HoneError(code, message, {
    hint: problem?.hint ?? "",
    retryable: problem?.retryable ?? false,
  });
}
