import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ERROR_CODES, HoneError } from "../../domain/errors.ts";
import { whoServes } from "../../serve/http/client.ts";
import { socketPathOf } from "../../serve/http/socket-path.ts";
import { pidIn } from "./pid-file.ts";

export type StartOptions = {
  /** The program and its arguments that run hone. */
  readonly command: readonly string[];
  /** What `hone run` is given beside the workspace. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** Ends the daemon that is being started. */
  readonly signal: AbortSignal;
};

/** How often it is looked whether something has come about, in milliseconds. */
const LOOK_MS = 50;

/**
 * Starts the daemon of a workspace in the background and resolves when it answers. Throws what kept
 * it from that, `busy` where there is one already, or where it takes longer: it goes on then.
 */
export async function startInBackground(
  dir: string,
  options: StartOptions,
): Promise<{ readonly pid: number; readonly socketPath: string }> {
  const socketPath = socketPathOf(dir);
  await refuseAnother(dir, socketPath);
  const child = spawned(dir, options);
  const pid = child.pid ?? 0;
  const onAbort = (): void => void child.kill("SIGTERM");
  options.signal.addEventListener("abort", onAbort, { once: true });
  try {
    const endsAt = Date.now() + options.timeoutMs;
    for (;;) {
      if (isOver(child)) throw failureIn(dir, child);
      if ((await whoServes(socketPath).catch(() => null)) === pid) return { pid, socketPath };
      if (Date.now() >= endsAt) throw notYet(pid, options.timeoutMs);
      await pause(LOOK_MS);
    }
  } finally {
    options.signal.removeEventListener("abort", onAbort);
    child.unref();
  }
}

/** Resolves with the pid when a daemon answers. Throws `daemon-unreachable` where none does in time. */
export async function waitForDaemon(
  dir: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<number> {
  const socketPath = socketPathOf(dir);
  const endsAt = Date.now() + timeoutMs;
  for (;;) {
    const pid = await whoServes(socketPath).catch(() => null);
    if (pid !== null) return pid;
    signal.throwIfAborted();
    if (Date.now() >= endsAt) {
      throw new HoneError("daemon-unreachable", `No daemon answers after ${seconds(timeoutMs)}`, {
        hint: "`hone start` starts one; `hone logs` shows what the last one said.",
      });
    }
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function refuseAnother(dir: string, socketPath: string): Promise<void> {
  const pid = (await whoServes(socketPath)) ?? pidIn(dir)?.pid ?? null;
  if (pid === null) return;
  throw new HoneError("busy", `A daemon has this workspace already (pid ${pid})`, {
    hint: "`hone status` shows what it is doing, `hone restart` starts it anew.",
  });
}

function spawned(dir: string, { command, args, env }: StartOptions): ChildProcess {
  const [program = "", ...words] = command;
  const file = outputFile(dir);
  mkdirSync(path.dirname(file), { recursive: true });
  const output = openSync(file, "w", 0o600);
  try {
    return spawn(program, [...words, "run", "--json", "--workspace", dir, ...args], {
      cwd: dir,
      env: { ...env },
      // A session of its own: the terminal's signals and its end are not for it.
      detached: true,
      stdio: ["ignore", output, output],
    });
  } finally {
    closeSync(output);
  }
}

function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** What the daemon said on its way out: the error of `--json`, or its last words. */
function failureIn(dir: string, { exitCode, signalCode }: ChildProcess): HoneError {
  const lines = readFileSync(outputFile(dir), "utf8").trim().split("\n");
  for (const line of lines.toReversed()) {
    const error = errorIn(line);
    if (error !== null) return error;
  }
  const how = signalCode === null ? `with exit code ${exitCode}` : `by ${signalCode}`;
  const said = lines.at(-1) ?? "";
  return new HoneError(
    "daemon-unreachable",
    `The daemon ended ${how} before it answered: ${said}`,
    {
      hint: "`hone logs` may tell more.",
    },
  );
}

function errorIn(line: string): HoneError | null {
  try {
    const { error } = JSON.parse(line) as { error: Record<string, string> };
    const { message = "", hint = "" } = error;
    const code = ERROR_CODES.find((each) => each === error["code"]) ?? "daemon-unreachable";
    return new HoneError(code, message, { hint });
  } catch {
    return null;
  }
}

function notYet(pid: number, timeoutMs: number): HoneError {
  const message = `The daemon (pid ${pid}) does not answer after ${seconds(timeoutMs)}; it goes on starting`;
  return new HoneError("busy", message, {
    hint: "`hone wait` waits for it, `hone stop` ends it, `hone logs` shows what it does.",
  });
}

/** What the daemon prints beside its log: an error that keeps it from starting, last words of Node. */
function outputFile(dir: string): string {
  return path.join(dir, "data", "run", "hone.out");
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}
