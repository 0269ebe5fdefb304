import type { Database } from "better-sqlite3";
import type { HoneEvent, Store } from "../../ports/store.ts";
import { pack, unpack, type Packed } from "./packed.ts";

type Row = Omit<HoneEvent, "detail"> & { readonly detail: Packed<HoneEvent["detail"]> };

/** What happened, in order; ids grow and are never used twice. */
export function eventsIn(db: Database): Pick<Store, "addEvent" | "events"> {
  const insert = db.prepare("INSERT INTO events (at, kind, skill, detail) VALUES (?, ?, ?, ?)");
  const since = db.prepare<[number, number], Row>(
    "SELECT id, at, kind, skill, detail FROM events WHERE id > ? ORDER BY id LIMIT ?",
  );
  return {
    addEvent: ({ at, kind, skill, detail }) =>
      Number(insert.run(at, kind, skill, pack(detail)).lastInsertRowid),
    /** Those with an id above `since`, oldest first. */
    events: (id, limit) =>
      since.all(id, limit).map((row) => ({ ...row, detail: unpack(row.detail) })),
  };
}
