import { Interrupted } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** What every command is given besides its own arguments. */
export type Invocation = {
  readonly terminal: Terminal;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder named by --workspace or HONE_WORKSPACE. */
  readonly workspace: string | undefined;
  readonly isQuiet: boolean;
  /** Aborted with an `Interrupted` by SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
};

/** A command's work; it answers with the exit code. */
type Work = (invocation: Invocation) => Promise<number>;

/** Runs the work of the command that was asked for, once. */
export type Invoke = (work: Work) => Promise<void>;

/** A signal that SIGINT or SIGTERM abort; a second one ends the process at once. */
export function listenForSignals(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    const interrupted = new Interrupted(name === "SIGINT" ? "SIGINT" : "SIGTERM");
    if (controller.signal.aborted) process.exit(interrupted.exitCode);
    controller.abort(interrupted);
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    },
  };
}

/** The value of a promise, or the signal's reason if that comes first. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
