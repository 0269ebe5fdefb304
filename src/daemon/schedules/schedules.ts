import type { JsonObject } from "../../domain/json.ts";
import type { Operations } from "../../ports/operations.ts";
import { slotMemoryOf } from "./slot-memory.ts";
import type { Workspace } from "../workspace.ts";

/** Slots told of each schedule. */
const TOLD = 3;

/** The operation `schedules`: what recurs, when it did last, and when it does next. */
export function schedulesOf({ house, config }: Workspace): Pick<Operations, "schedules"> {
  return {
    async schedules() {
      const { store, now } = house;
      // Loaded only where somebody asks.
      const { slotsOf } = await import("./slots.ts");
      const schedules = config.schedules.map((entry): JsonObject => {
        const { name, cron, submit, improve, overlap } = entry;
        const slots = slotsOf(entry, now());
        const next: number[] = [];
        while (next.length < TOLD) next.push(slots.next(next.at(-1) ?? now()));
        return {
          name,
          cron,
          timezone: slots.timezone,
          does: [submit, improve].flatMap((of, at) =>
            of === undefined ? [] : [`${at === 0 ? "submit" : "improve"} ${of}`],
          ),
          catchUp: slots.catchesUp,
          overlap,
          lastAt: slotMemoryOf(entry, store).last(),
          nextAt: next[0] ?? null,
          next: next.map((slot) => new Date(slot).toISOString()),
        };
      });
      return { schemaVersion: 1, schedules };
    },
  };
}
