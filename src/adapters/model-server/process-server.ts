import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { HoneError, messageOf } from "../../domain/errors.ts";
import type { ModelServer, ServerPlace, StartedServer } from "../../ports/model-server.ts";
import { membersOf, startOf } from "./process-table.ts";

export type ProcessServerSettings = {
  /** As a shell reads it. */
  readonly command: string;
  readonly dir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file that its output is added to. */
  readonly log: string;
  readonly stopMs: number;
};

/** How often a group that is to end is looked at, in milliseconds. */
const LOOK_EVERY_MS = 50;

/** A killed process is gone at once, unless the kernel is at work for it. */
const KILLED_WITHIN_MS = 10_000;

/**
 * A model server as a process group of its own: it outlives whoever started it, and ends as a whole.
 * Secrets of skills are not in its environment.
 */
export function createProcessServer(settings: ProcessServerSettings): ModelServer {
  return {
    start: () => start(settings),
    stop: (place) => stop(place, settings.stopMs),
    isThere: async (place) => groupOf(place).length > 0,
  };
}

async function start({ command, dir, env, log }: ProcessServerSettings): Promise<StartedServer> {
  const output = openSync(log, "a", 0o600);
  try {
    const child = spawn("/bin/sh", ["-c", command], {
      cwd: dir,
      env: Object.fromEntries(
        Object.entries(env).filter(([name]) => !name.startsWith("HONE_SECRET_")),
      ),
      detached: true,
      stdio: ["ignore", output, output],
    });
    const ended = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("exit", (code, signal) => resolve(howItEnded(code, signal)));
    });
    const { pid } = child;
    if (pid === undefined) throw new Error(await ended);
    return { place: { kind: "process", pid, startedAt: startOf(pid) ?? "" }, ended };
  } catch (cause) {
    throw new HoneError("sandbox-unavailable", `the model server: ${messageOf(cause)}`, { cause });
  } finally {
    closeSync(output);
  }
}

/** What a shell's exit codes mean, POSIX.1-2024, "Exit Status for Commands". */
function howItEnded(code: number | null, signal: string | null): string {
  if (code === 127) return "its command was not found";
  if (code === 126) return "its command may not be run";
  return signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
}

async function stop(place: ServerPlace, stopMs: number): Promise<void> {
  if (place.kind !== "process" || groupOf(place).length === 0) return;
  signalGroup(place.pid, "SIGTERM");
  if (await isGone(place, stopMs)) return;
  signalGroup(place.pid, "SIGKILL");
  if (await isGone(place, KILLED_WITHIN_MS)) return;
  throw new HoneError(
    "busy",
    `processes of the model server do not end: ${groupOf(place).join(", ")}`,
    {
      hint: "Look at what they wait for with `ps`; a GPU's driver may have to be reset.",
    },
  );
}

async function isGone(place: ServerPlace, withinMs: number): Promise<boolean> {
  const endsAt = Date.now() + withinMs;
  while (groupOf(place).length > 0) {
    if (Date.now() >= endsAt) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}

/**
 * What is left of a server's group. Its number is not given again while a process has it; where its
 * leader's id is that of a process that began at another time, the group is somebody else's.
 */
function groupOf(place: ServerPlace): readonly number[] {
  // A group of nought would be one's own.
  if (place.kind !== "process" || place.pid <= 1) return [];
  const leader = startOf(place.pid);
  return leader === null || leader === place.startedAt ? membersOf(place.pid, place.startedAt) : [];
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
