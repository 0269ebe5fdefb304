import { HoneError } from "../../domain/errors.ts";
import type { Store } from "../../ports/store.ts";

export type CheckpointSettings = {
  readonly everyMs: number;
  /** Bytes of WAL above which `onTrouble` is told: some reader keeps it from being emptied. */
  readonly limitBytes: number;
  /** Told in one sentence what keeps the WAL from being small. */
  readonly onTrouble: (sentence: string) => void;
};

/** Defaults for the daemon: a small WAL costs next to nothing to empty. */
export const CHECKPOINTS = { everyMs: 5_000, limitBytes: 67_108_864 } as const;

/** Empties the ledger's WAL at intervals until disposed. Does not keep the process alive. */
export function keepWalSmall(
  store: Pick<Store, "checkpoint">,
  { everyMs, limitBytes, onTrouble }: CheckpointSettings,
): Disposable {
  const timer = setInterval(() => {
    const trouble = troubleOf(store, limitBytes);
    if (trouble !== null) onTrouble(trouble);
  }, everyMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function troubleOf(store: Pick<Store, "checkpoint">, limitBytes: number): string | null {
  try {
    const bytes = store.checkpoint();
    const megabytes = (bytes / 1_048_576).toFixed(0);
    return bytes > limitBytes
      ? `The ledger's write-ahead log has ${megabytes} MB: another process keeps reading it.`
      : null;
  } catch (error) {
    if (error instanceof HoneError) return error.message;
    throw error;
  }
}
