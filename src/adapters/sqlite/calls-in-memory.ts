import Database from "better-sqlite3";
import type { Store } from "../../ports/store.ts";
import { modelCallsIn } from "./model-calls.ts";
import { MODEL_CALLS, MODEL_SECONDS } from "./schema.ts";

/** What models were asked, for as long as the process lives: where there is no ledger. */
export function modelCallsInMemory(): ReturnType<typeof modelCallsIn> &
  Pick<Store, "note" | "setNote"> {
  const db = new Database(":memory:");
  db.exec(MODEL_CALLS + MODEL_SECONDS);
  const notes = new Map<string, string>();
  return {
    ...modelCallsIn(db),
    note: (key) => notes.get(key) ?? null,
    setNote: (key, value) => void notes.set(key, value),
  };
}
