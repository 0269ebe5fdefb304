import { setImmediate } from "node:timers/promises";
import { HoneError } from "../domain/errors.ts";
import type { Workspace } from "./workspace.ts";

const DAY_MS = 86_400_000;

/** How often old rows are looked for, and how much is looked at then: little enough to go unnoticed. */
const EVERY_MS = 60_000;
const TURNS = 20;
const ROWS = 100;

/** Removes from the ledger what is older than the settings say, a little every minute. */
export function keepRetention(workspace: Workspace): AsyncDisposable {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => pruneSome(workspace));
  }, EVERY_MS);
  timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}

/** One look: some small transactions, between which others have their turn. */
export async function pruneSome({
  house: { store, now },
  config: { retention },
  signal,
}: Pick<Workspace, "house" | "config" | "signal">): Promise<void> {
  const before = (days: number): number => (days === 0 ? 0 : now() - days * DAY_MS);
  const what = {
    runsBefore: before(retention.runsDays),
    eventsBefore: before(retention.eventsDays),
    most: ROWS,
  };
  for (let turn = 0; turn < TURNS && !signal.aborted; turn += 1) {
    try {
      const { runs, tasks, events, isOver } = store.prune(what);
      if (isOver && runs + tasks + events === 0) return;
    } catch (error) {
      // A ledger that is busy or full: the next look tries again.
      if (error instanceof HoneError) return;
      throw error;
    }
    await setImmediate();
  }
}
