import type { Database } from "better-sqlite3";
import type { Store } from "../../ports/store.ts";

/** How long a slot is remembered: no clock is put back further, in milliseconds. */
const KEPT_MS = 40 * 86_400_000;

/** Slots of schedules, each claimed once, and single remembered texts. */
export function notesIn(
  db: Database,
  now: () => number,
): Pick<Store, "claimSlot" | "note" | "setNote"> {
  const claim = db.prepare("INSERT INTO slots VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
  const forget = db.prepare("DELETE FROM slots WHERE schedule = ? AND slot < ?");
  const get = db.prepare<[string], string>("SELECT value FROM notes WHERE key = ?");
  const set = db.prepare(
    "INSERT INTO notes VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  return {
    claimSlot(schedule, slot) {
      const isFirst = claim.run(schedule, slot, now()).changes === 1;
      if (isFirst) forget.run(schedule, new Date(Date.parse(slot) - KEPT_MS).toISOString());
      return isFirst;
    },
    note: (key) => get.pluck().get(key) ?? null,
    setNote(key, value) {
      set.run(key, value);
    },
  };
}
