import { HoneError } from "../../domain/errors.ts";
import type { Editor, Inspection } from "../../ports/editor.ts";
import type { Store } from "../../ports/store.ts";

/** Raise it when the editor comes to say something else of the same source. */
const FORMAT = 3;

/**
 * The editor's `inspect`, remembered in the ledger by the digest of the source, so that a daemon is
 * ready without starting the editor's process.
 */
export function cachedInspect(
  inspect: Editor["inspect"],
  store: Pick<Store, "note" | "setNote">,
  sha256: (text: string) => string,
): Editor["inspect"] {
  return async (source, signal) => {
    const { language, entry, text } = source;
    const key = `inspect/${FORMAT}/${sha256(JSON.stringify([language, entry, text]))}`;
    const known = store.note(key);
    if (known !== null) return JSON.parse(known) as Inspection;
    const inspection = await inspect(source, signal);
    remember(store, key, JSON.stringify(inspection));
    return inspection;
  };
}

/** A ledger that takes nothing now is told the next time: nothing hangs on it. */
function remember(store: Pick<Store, "setNote">, key: string, text: string): void {
  try {
    store.setNote(key, text);
  } catch (error) {
    if (!(error instanceof HoneError)) throw error;
  }
}
