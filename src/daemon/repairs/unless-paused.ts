import { HoneError } from "../../domain/errors.ts";
import type { Store } from "../../ports/store.ts";
import { refuseWhilePaused } from "../model/spending.ts";

/** How soon work under way hears of a pause, in milliseconds; the ledger is asked, whoever wrote it. */
const LOOK_MS = 200;

/**
 * Work that ends when repairs are paused: its signal is aborted then. Throws `refused` while they are,
 * and where they were paused meanwhile.
 */
export async function unlessPaused<T>(
  store: Pick<Store, "note">,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  refuseWhilePaused(store);
  const stop = new AbortController();
  const timer = setInterval(() => {
    const why = signal.aborted ? null : pauseOf(store);
    if (why !== null) stop.abort(why);
  }, LOOK_MS);
  try {
    return await work(AbortSignal.any([signal, stop.signal]));
  } catch (thrown) {
    if (!signal.aborted) stop.signal.throwIfAborted();
    throw thrown;
  } finally {
    clearInterval(timer);
  }
}

/** Why it is to stop; a ledger that cannot be read now says nothing of it. */
function pauseOf(store: Pick<Store, "note">): HoneError | null {
  try {
    refuseWhilePaused(store);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof HoneError)) throw thrown;
    return thrown.code === "refused" ? thrown : null;
  }
}
