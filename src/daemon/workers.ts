import { HoneError } from "../domain/errors.ts";
import { drain } from "./work.ts";
import type { Workspace } from "./workspace.ts";

/** A ledger that could not be used is tried again after this time. */
const AGAIN_MS = 1_000;

/**
 * Carries out queued tasks, several at a time. `wake` says that tasks may have been queued. A worker
 * that the ledger fails stops; what it had claimed is queued again once no worker is left. While
 * there are suspects, one task is carried out at a time.
 */
export function startWorkers(workspace: Workspace): {
  readonly wake: () => void;
  /** Resolves when the tasks under way have ended. */
  readonly finished: () => Promise<void>;
} & AsyncDisposable {
  const { house, config, signal } = workspace;
  const running = new Set<Promise<void>>();
  let again: NodeJS.Timeout | null = null;
  const wake = (): void => {
    try {
      start();
    } catch (error) {
      stopFor(error);
    }
  };
  const stopFor = (error: unknown): void => {
    if (!(error instanceof HoneError)) throw error;
    if (signal.aborted) return;
    again ??= setTimeout(() => {
      again = null;
      wake();
    }, AGAIN_MS);
  };
  const start = (): void => {
    if (signal.aborted || again !== null) return;
    if (running.size === 0) house.store.requeueRunning();
    const isCautious = workspace.suspects.areLeft();
    const free = (isCautious ? 1 : config.tasks.parallel) - running.size;
    const wanted = Math.min(free, house.store.countTasks().queued);
    for (let started = 0; started < wanted; started += 1) {
      const worker = drain(workspace, isCautious ? 1 : Infinity)
        .catch(stopFor)
        .finally(() => {
          running.delete(worker);
          if (isCautious) wake();
        });
      running.add(worker);
    }
  };
  const finished = async (): Promise<void> => void (await Promise.all(running));
  return {
    wake,
    finished,
    async [Symbol.asyncDispose]() {
      if (again !== null) clearTimeout(again);
      await finished();
    },
  };
}
