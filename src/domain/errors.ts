/** What the world got wrong, named by the border at which it broke. */
export const ERROR_CODES = [
  "usage",
  "bad-config",
  "bad-skill",
  "bad-input",
  "bad-reward",
  "bad-suite",
  "not-found",
  "unauthorized",
  "busy",
  "daemon-unreachable",
  "sandbox-unavailable",
  "editor-failed",
  "git-failed",
  "git-conflict",
  "store-failed",
  "capability-failed",
  "model-unreachable",
  "refused",
  "no-improvement",
] as const;
export type HoneErrorCode = (typeof ERROR_CODES)[number];

/** An error of the world: one sentence of what and where, and a hint of what to do. */
export class HoneError extends Error {
  readonly code: HoneErrorCode;
  readonly hint: string;
  readonly retryable: boolean;

  constructor(
    code: HoneErrorCode,
    message: string,
    options: {
      readonly hint?: string;
      readonly retryable?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "HoneError";
    this.code = code;
    this.hint = options.hint ?? "";
    this.retryable = options.retryable ?? false;
  }
}

/** The process exit code of an error: 2 usage, 3 no daemon, 4 no right, 5 a gate said no, 6 not found, 75 busy. */
export function exitCodeOf(code: HoneErrorCode): number {
  switch (code) {
    case "usage":
    case "bad-config":
    case "bad-input":
    case "bad-suite":
      return 2;
    case "daemon-unreachable":
      return 3;
    case "unauthorized":
      return 4;
    case "refused":
    case "no-improvement":
      return 5;
    case "not-found":
      return 6;
    case "busy":
      return 75;
    case "bad-skill":
    case "bad-reward":
    case "sandbox-unavailable":
    case "editor-failed":
    case "git-failed":
    case "git-conflict":
    case "store-failed":
    case "capability-failed":
    case "model-unreachable":
      return 1;
  }
}

/** Runs an adapter's call into foreign code and names the border at which it broke. */
export async function boundary<T>(
  border: { readonly code: HoneErrorCode; readonly retryable: boolean; readonly hint?: string },
  what: string,
  call: () => Promise<T> | T,
): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof HoneError) throw cause;
    throw new HoneError(border.code, `${what} failed: ${messageOf(cause)}`, { ...border, cause });
  }
}

/** The message of anything thrown, without trusting it to be an Error. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === "string" ? thrown : `a thrown ${typeof thrown}`;
}
