import { ERROR_CODES, HoneError } from "../../domain/errors.ts";
import type { HoneErrorCode } from "../../domain/errors.ts";

/** What goes over the wire when a request failed. `internal` is a bug of the daemon. */
export type Problem = {
  readonly error: {
    readonly code: HoneErrorCode | "internal";
    readonly message: string;
    readonly hint: string;
    readonly retryable: boolean;
  };
};

/** The wire's form of an error of the world. */
export function problemOf({ code, message, hint, retryable }: HoneError): Problem {
  return { error: { code, message, hint, retryable } };
}

/** The HTTP status that goes with an error's code. */
export function statusOf(code: HoneErrorCode): 400 | 404 | 409 | 500 | 502 | 503 {
  switch (code) {
    case "usage":
    case "bad-config":
    case "bad-skill":
    case "bad-input":
    case "bad-reward":
    case "bad-suite":
      return 400;
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
      return 500;
  }
}

/** The error that a problem stands for: the same HoneError, or a plain Error for a bug. */
export function errorOf(body: unknown, status: number): Error {
  const error = (body as Partial<Problem> | null)?.error;
  const message = error?.message ?? `the daemon answered with HTTP ${status}`;
  const code = ERROR_CODES.find((each) => each === error?.code);
  if (code === undefined) return new Error(message);
  return new HoneError(code, message, {
    hint: error?.hint ?? "",
    retryable: error?.retryable ?? false,
  });
}
