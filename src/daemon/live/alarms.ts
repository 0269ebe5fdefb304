import type { Alarm } from "../../domain/alarm.ts";
import type { House } from "../../ports/house.ts";

/** Raises an alarm, and tells of it unless it stands already. */
export function raise(
  alarm: Pick<Alarm, "kind" | "skill" | "cause" | "text">,
  { store, now, tell }: Pick<House, "store" | "now" | "tell">,
): void {
  const { kind, skill, cause, text } = alarm;
  if (store.raiseAlarm({ ...alarm, raisedAt: now() })) {
    tell("drift.alarm", skill, { alarm: kind, cause, text });
  }
}

/** Ends an alarm, and tells of it where there was one. */
export function end(
  { kind, skill, cause }: Pick<Alarm, "kind" | "skill" | "cause">,
  reason: string,
  { store, now, tell }: Pick<House, "store" | "now" | "tell">,
): void {
  if (store.endAlarm({ kind, skill, cause }, now())) {
    tell("drift.over", skill, { alarm: kind, cause, reason });
  }
}
