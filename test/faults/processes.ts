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

/** Kills every guest as soon as it is there, until that is ended; at most for so many milliseconds. */
export function stormOfGuests(mostMs = 30_000): { readonly end: () => Promise<void> } {
  const calm = new AbortController();
  const until = AbortSignal.any([calm.signal, AbortSignal.timeout(mostMs)]);
  const raging = (async () => {
    while (!until.aborted) {
      strikeGuests();
      await pause(2);
    }
  })();
  return {
    end: async () => {
      calm.abort();
      await raging;
    },
  };
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
