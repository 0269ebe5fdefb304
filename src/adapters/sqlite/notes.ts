import type { Database } from "better-sqlite3";
import type { Store } from "../../ports/store.ts";

/** Slots of schedules, each claimed once, and single remembered texts. */
export function notesIn(
  db: Database,
  now: () => number,
): Pick<Store, "claimSlot" | "note" | "setNote"> {
  const claim = db.prepare("INSERT INTO slots VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
  const get = db.prepare<[string], string>("SELECT value FROM notes WHERE key = ?");
  const set = db.prepare(
    "INSERT INTO notes VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  return {
    claimSlot: (schedule, slot) => claim.run(schedule, slot, now()).changes === 1,
    note: (key) => get.pluck().get(key) ?? null,
    setNote(key, value) {
      set.run(key, value);
    },
  };
}
