import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../domain/errors.ts";
import { startOf } from "../compose-process.ts";

/** A process, told from a later one of the same id. */
export type KnownProcess = { readonly pid: number; readonly startedAt: string };

/**
 * Writes down which process is the daemon: its id in the first line, when it began in the second,
 * and in the third whether a service manager started it.
 */
export function writePid(dir: string, onTrouble: (sentence: string) => void): void {
  const file = pidFileOf(dir);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    const by = isService(process.env) ? "service" : "person";
    const lines = [process.pid, startOf(process.pid) ?? "", by];
    writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  } catch (error) {
    onTrouble(`${file} cannot be written: ${messageOf(error)}`);
  }
}

/** The daemon that the pid file names, where it lives; null: there is none, or it is stale. */
export function pidIn(dir: string): KnownProcess | null {
  const [first = "", startedAt = ""] = textOf(pidFileOf(dir)).split("\n");
  const pid = Number(first);
  if (!Number.isSafeInteger(pid) || pid < 1) return null;
  const known = { pid, startedAt };
  return isAlive(known) ? known : null;
}

/** Whether the pid file says that a service manager started the daemon. */
export function isSupervised(dir: string): boolean {
  return textOf(pidFileOf(dir)).split("\n")[2] === "service";
}

/** systemd (since 248) and launchd name what they start. */
function isService({ SYSTEMD_EXEC_PID, XPC_SERVICE_NAME = "0" }: NodeJS.ProcessEnv): boolean {
  return SYSTEMD_EXEC_PID === String(process.pid) || XPC_SERVICE_NAME !== "0";
}

/** Whether that very process still runs. */
export function isAlive({ pid, startedAt }: KnownProcess): boolean {
  return startedAt !== "" && startOf(pid) === startedAt;
}

/** A process that runs now; null: there is none of that id. */
export function knownProcess(pid: number): KnownProcess | null {
  const startedAt = startOf(pid);
  return startedAt === null ? null : { pid, startedAt };
}

export function forgetPid(dir: string): void {
  rmSync(pidFileOf(dir), { force: true });
}

function pidFileOf(dir: string): string {
  return path.join(dir, "data", "run", "hone.pid");
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
