import { HoneError, exitCodeOf, messageOf } from "../domain/errors.ts";
import { plainText, safeJson } from "./plain-text.ts";

/** The command was ended by a signal; the exit code is the shell's convention, 128 + number. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(`interrupted by ${signal}`);
    this.name = "Interrupted";
    this.exitCode = signal === "SIGINT" ? 130 : 143;
  }
}

/** What is said of a failed command, and its exit code. */
export type Failure = {
  readonly exitCode: number;
  readonly error: { readonly code: string; readonly message: string; readonly hint: string };
  /** Only for bugs. */
  readonly stack: string | null;
};

/** Sorts what was thrown: the world's errors, a signal, or a bug of ours. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof HoneError) {
    const { code, message, hint } = thrown;
    return { exitCode: exitCodeOf(code), error: { code, message, hint }, stack: null };
  }
  if (thrown instanceof Interrupted) {
    const error = { code: "interrupted", message: thrown.message, hint: "" };
    return { exitCode: thrown.exitCode, error, stack: null };
  }
  return {
    exitCode: 1,
    error: {
      code: "internal",
      message: `this is a bug in hone: ${messageOf(thrown)}`,
      hint: "Run it again with HONE_DEBUG=1 to see where.",
    },
    stack: thrown instanceof Error ? (thrown.stack ?? null) : null,
  };
}

/** Tells a failure: one JSON object on stdout with --json, else message and hint on stderr. */
export function tellFailure(
  failure: Failure,
  { isJson, isDebug }: { readonly isJson: boolean; readonly isDebug: boolean },
): void {
  const { error, stack } = failure;
  if (isJson) process.stdout.write(`${safeJson({ schemaVersion: 1, error })}\n`);
  else process.stderr.write(`hone: ${plainText(error.message)}\n${hintLine(error.hint)}`);
  if (isDebug && stack !== null) process.stderr.write(`${stack}\n`);
}

function hintLine(hint: string): string {
  return hint === "" ? "" : `      ${plainText(hint)}\n`;
}
