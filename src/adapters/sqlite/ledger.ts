import type { HoneError } from "../../domain/errors.ts";
import { retryingStore } from "./retrying-store.ts";
import { openStore, type SqliteStore } from "./sqlite-store.ts";

/** The ledger of a workspace, and what it could not take last, until it takes something again. */
export type Ledger = {
  readonly store: SqliteStore;
  /** As sentences; none: it takes what it is given. */
  readonly troubles: () => readonly string[];
};

/**
 * Opens the ledger with writes that are tried again. `tell` hears at once of each that was given
 * up, which the ledger itself cannot keep. Throws as `openStore` does.
 */
export function openLedger(file: string, tell: (sentence: string) => void): Ledger {
  let trouble: string | null = null;
  const store = retryingStore(openStore(file), {
    onFailure: (what: string, { message, hint }: HoneError) => {
      trouble = `the ledger could not take ${what}: ${message}. ${hint}`;
      tell(trouble);
    },
    onSuccess: () => {
      trouble = null;
    },
  });
  return { store, troubles: () => (trouble === null ? [] : [trouble]) };
}
