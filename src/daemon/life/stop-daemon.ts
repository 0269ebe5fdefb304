import { setTimeout as pause } from "node:timers/promises";
import { HoneError } from "../../domain/errors.ts";
import { whoServes } from "../../serve/http/client.ts";
import { socketPathOf } from "../../serve/http/socket-path.ts";
import {
  forgetPid,
  isAlive,
  isSupervised,
  knownProcess,
  pidIn,
  type KnownProcess,
} from "./pid-file.ts";

export type StopOptions = {
  readonly timeoutMs: number;
  /** Without letting work under way finish; killed where even that is not heard. */
  readonly isNow: boolean;
  readonly signal: AbortSignal;
};

/** `pid` null: no daemon was up. */
export type Stopped = { readonly pid: number | null; readonly tookMs: number };

const LOOK_MS = 50;
/** A second signal ends the daemon at once; one that hangs is killed after this time. */
const NOW_MS = 2_000;

/**
 * Asks the daemon of a workspace to end and waits until it is gone; what it had under way and could
 * not finish is done after the next start. Throws `busy` where it takes longer.
 */
export async function stopDaemon(dir: string, options: StopOptions): Promise<Stopped> {
  const daemon = await daemonOf(dir);
  if (daemon === null) {
    forgetPid(dir);
    return { pid: null, tookMs: 0 };
  }
  const startedAt = Date.now();
  kill(daemon, "SIGTERM");
  if (options.isNow) await endAtOnce(daemon);
  while (isAlive(daemon)) {
    options.signal.throwIfAborted();
    if (Date.now() - startedAt >= options.timeoutMs) throw tooLong(daemon, options);
    await pause(LOOK_MS);
  }
  return { pid: daemon.pid, tookMs: Date.now() - startedAt };
}

/** The daemon that answers; else the one that the pid file names, which may be starting or hang. */
async function daemonOf(dir: string): Promise<KnownProcess | null> {
  const pid = await whoServes(socketPathOf(dir)).catch(() => null);
  return pid === null ? pidIn(dir) : knownProcess(pid);
}

/** Throws `refused` for a daemon that a service manager runs: it would start another one, or none. */
export async function refuseSupervised(dir: string): Promise<void> {
  if ((await daemonOf(dir)) === null || !isSupervised(dir)) return;
  throw new HoneError("refused", "A service manager runs this daemon", {
    hint: "Restart it there, as by `systemctl --user restart` with the name of its unit.",
  });
}

async function endAtOnce(daemon: KnownProcess): Promise<void> {
  await pause(LOOK_MS);
  kill(daemon, "SIGTERM");
  const endsAt = Date.now() + NOW_MS;
  while (isAlive(daemon) && Date.now() < endsAt) await pause(LOOK_MS);
  kill(daemon, "SIGKILL");
}

function kill(daemon: KnownProcess, signal: NodeJS.Signals): void {
  if (!isAlive(daemon)) return;
  try {
    process.kill(daemon.pid, signal);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === "ESRCH") return;
    throw new HoneError("refused", `The daemon (pid ${daemon.pid}) cannot be ended: ${code}`, {
      cause,
      hint: "Do it as the user that started it.",
    });
  }
}

function tooLong({ pid }: KnownProcess, { timeoutMs }: StopOptions): HoneError {
  const message = `The daemon (pid ${pid}) has not ended within ${timeoutMs / 1_000} s`;
  return new HoneError("busy", message, {
    hint: "`hone stop --now` ends it at once; what it had accepted is kept.",
  });
}
