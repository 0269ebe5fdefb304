import type { ScheduleSettings } from "../../config-schedule.ts";
import { isJsonObject, type Json } from "../../domain/json.ts";
import type { Store } from "../../ports/store.ts";

/** What the ledger knows of a schedule's slots. */
export type SlotMemory = {
  /** The last slot that was done with; `now` for a schedule that is new or says another time now. */
  readonly since: (now: number) => number;
  /** The slot whose work was begun and has not ended; null: none. */
  readonly begun: () => number | null;
  /** The last slot that was claimed; null: none yet. */
  readonly last: () => number | null;
  /** True exactly once per slot. Throws `store-failed`. */
  readonly claim: (slot: number) => boolean;
  readonly ended: (slot: number) => void;
  /** A slot that was missed and is let go. */
  readonly passed: (slot: number) => void;
};

type Noted = {
  readonly spec: string;
  readonly slot: number;
  readonly state: "new" | "begun" | "ended" | "missed";
};

export function slotMemoryOf(
  entry: Pick<ScheduleSettings, "name" | "cron" | "timezone">,
  store: Pick<Store, "claimSlot" | "note" | "setNote">,
): SlotMemory {
  const key = `schedule/${entry.name}`;
  const spec = `${entry.cron} ${entry.timezone ?? ""}`;
  const noted = (): Noted | null => {
    const found = parsed(store.note(key));
    return found?.spec === spec ? found : null;
  };
  const put = (slot: number, state: Noted["state"]): void => {
    store.setNote(key, JSON.stringify({ spec, slot, state } satisfies Noted));
  };
  return {
    since(now) {
      const found = noted();
      if (found === null) put(now, "new");
      return found?.slot ?? now;
    },
    begun() {
      const found = noted();
      return found?.state === "begun" ? found.slot : null;
    },
    last() {
      const found = noted();
      return found === null || found.state === "new" ? null : found.slot;
    },
    claim(slot) {
      const isOurs = store.claimSlot(entry.name, new Date(slot).toISOString());
      if (isOurs) put(slot, "begun");
      return isOurs;
    },
    ended(slot) {
      if (noted()?.slot === slot) put(slot, "ended");
    },
    passed: (slot) => put(slot, "missed"),
  };
}

function parsed(text: string | null): Noted | null {
  if (text === null) return null;
  const value = JSON.parse(text) as Json;
  return isJsonObject(value) ? (value as Noted) : null;
}
