import type { Logger } from "pino";
import { messageOf } from "../../domain/errors.ts";
import type { Life } from "./life.ts";

/** What ends the daemon, and with which exit code. */
export type Ending = {
  /** 0 after a signal, 1 after a bug. */
  readonly code: Promise<number>;
  readonly isEnding: () => boolean;
  /** A bug: its reason is in the log and with the crashes before this returns. */
  readonly bug: (thrown: unknown) => void;
} & Disposable;

/** Time for leaving everything behind in order, once the work has ended or was ended. */
const LEAVE_MS = 2_000;

/**
 * Listens for what ends the daemon: the first SIGTERM or SIGINT gently, the second at once, a bug
 * with its reason kept. An end that takes longer than `drainMs` and a little is made by force: what
 * was under way is done after the next start, as after a kill.
 */
export function listenForEnd(
  log: Logger,
  life: Pick<Life, "crash" | "end">,
  { drainMs }: { readonly drainMs: () => number },
): Ending {
  const { promise, resolve } = Promise.withResolvers<number>();
  let isEnding = false;
  let isOver = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isEnding) process.exit(signal === "SIGINT" ? 130 : 143);
    isEnding = true;
    log.info({ signal }, "stopping");
    setTimeout(() => {
      log.warn("what did not end in time is left, and done after the next start");
      process.exit(0);
    }, drainMs() + LEAVE_MS).unref();
    resolve(0);
  };
  const bug = (thrown: unknown): void => {
    const reason = messageOf(thrown);
    log.fatal({ reason, stack: thrown instanceof Error ? thrown.stack : undefined }, BUG);
    life.crash(reason);
    process.stderr.write(`hone: ${BUG}: ${reason}\n`);
    isEnding = true;
    isOver = true;
    resolve(1);
  };
  const onExit = (code: number): void => {
    if (isOver) return;
    // A second signal, which the command line heard first: that was asked for.
    if (isEnding) {
      log.warn({ code }, "ended at once");
      return life.end();
    }
    log.fatal({ code }, "the process ends by process.exit, in the middle of its work");
    life.crash(`process.exit(${code})`);
  };
  const listeners = [
    ["SIGTERM", onSignal],
    ["SIGINT", onSignal],
    ["uncaughtException", bug],
    ["unhandledRejection", bug],
    ["exit", onExit],
  ] as const;
  for (const [name, listener] of listeners) process.on(name, listener as () => void);
  return {
    code: promise,
    isEnding: () => isEnding,
    bug,
    [Symbol.dispose]() {
      isOver = true;
      for (const [name, listener] of listeners) process.off(name, listener as () => void);
    },
  };
}

const BUG = "a bug ends the daemon";
