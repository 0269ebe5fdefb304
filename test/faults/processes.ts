import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { childrenOf } from "../support/child-processes.ts";

/** The guests that this process has now: node without a compiler, fed by its standard input. */
export function guests(): readonly number[] {
  return childrenOf(process.pid).filter((pid) => commandLineOf(pid).includes("--input-type"));
}

/** Sends a signal to every guest; returns how many there were. */
export function strikeGuests(signal: NodeJS.Signals = "SIGKILL"): number {
  const found = guests();
  for (const pid of found) strike(pid, signal);
  return found.length;
}

/** A process may end by itself while one aims at it. */
export function strike(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Kills every guest that there is or comes, for a time in milliseconds; returns how many. */
export async function killGuestsFor(ms: number): Promise<number> {
  const endsAt = Date.now() + ms;
  let killed = 0;
  while (Date.now() < endsAt) {
    killed += strikeGuests();
    await pause(5);
  }
  return killed;
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
