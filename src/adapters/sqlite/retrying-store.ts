import { HoneError } from "../../domain/errors.ts";
import type { Store } from "../../ports/store.ts";

export type RetrySettings = {
  /** Told of every write that was given up, before it throws. */
  readonly onFailure: (what: string, error: HoneError) => void;
  /** Told of every write that was taken. */
  readonly onSuccess?: () => void;
  /** Milliseconds between the attempts; as many retries as there are pauses. */
  readonly pausesMs?: readonly number[];
  /** Waits; the process stands still meanwhile. */
  readonly pause?: (ms: number) => void;
};

const WRITES = [
  "addTask",
  "claimTask",
  "requeueRunning",
  "failTask",
  "cancelTask",
  "addRun",
  "countHeldOutLook",
  "joinIncident",
  "setIncident",
  "addGroup",
  "addPulls",
  "addBirth",
  "addClaim",
  "endProbation",
  "setCandidate",
  "addPendingRelease",
  "setRelease",
  "promote",
  "refuse",
  "addEvent",
  "kvSet",
  "kvDelete",
  "claimSlot",
  "setNote",
  "keepAnswer",
  "addShadow",
  "raiseAlarm",
  "endAlarm",
  "reserveModelCall",
  "endModelCall",
  "prune",
] as const satisfies readonly (keyof Store)[];

/**
 * A store whose writes are tried again after short pauses while the world may mend itself (busy,
 * disk full), and are never lost in silence: the last failure is reported and thrown. Reads,
 * upkeep and additional members are those of the store within.
 */
export function retryingStore<S extends Store>(store: S, settings: RetrySettings): S {
  const writes = WRITES.map((name) => {
    const write = store[name] as (...args: unknown[]) => unknown;
    return [name, (...args: unknown[]) => persist(name, () => write(...args), settings)] as const;
  });
  return { ...store, ...Object.fromEntries(writes) };
}

function persist<T>(
  what: string,
  write: () => T,
  { onFailure, onSuccess, pausesMs = [10, 50, 200], pause = standStill }: RetrySettings,
): T {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const written = write();
      onSuccess?.();
      return written;
    } catch (error) {
      if (!(error instanceof HoneError)) throw error;
      const pauseMs = error.retryable ? pausesMs[attempt] : undefined;
      if (pauseMs === undefined) {
        onFailure(what, error);
        throw error;
      }
      pause(pauseMs);
    }
  }
}

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
