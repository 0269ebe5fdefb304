import { drain } from "./work.ts";
import type { Workspace } from "./workspace.ts";

/** Carries out queued tasks, several at a time. `wake` says that tasks may have been queued. */
export function startWorkers({ house, config, signal }: Workspace): {
  readonly wake: () => void;
} & AsyncDisposable {
  const running = new Set<Promise<void>>();
  const wake = (): void => {
    if (signal.aborted) return;
    const free = config.tasks.parallel - running.size;
    const wanted = Math.min(free, house.store.countTasks().queued);
    for (let started = 0; started < wanted; started += 1) {
      const worker = drain(house, signal).finally(() => running.delete(worker));
      running.add(worker);
    }
  };
  return {
    wake,
    async [Symbol.asyncDispose]() {
      await Promise.all(running);
    },
  };
}
