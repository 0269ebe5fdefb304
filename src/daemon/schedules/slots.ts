import { createTask, validateDetailed } from "node-cron";
import type { ScheduleSettings } from "../../config-schedule.ts";
import { HOUR_MS, MINUTE_MS, zoneOf, type Civil, type Zone } from "../../domain/civil-time.ts";
import { HoneError } from "../../domain/errors.ts";
import { isDailyOrRarer, latestSlot, nextSlot, type Recurrence } from "../../domain/slots.ts";

/** The slots of one schedule, as instants. */
export type Slots = {
  readonly timezone: string;
  /** The first after an instant. */
  readonly next: (after: number) => number;
  /** The last after `after` that is not after `upTo`, or null. */
  readonly latest: (within: { readonly after: number; readonly upTo: number }) => number | null;
  /** Whether a slot that was missed is done later. */
  readonly catchesUp: boolean;
};

/**
 * When a schedule is due. node-cron reads the expression and knows the days; which instants its times
 * of the day are is told by `nextSlot`, for node-cron's own search leaves out the hour that comes
 * twice in autumn, the daily slot within the hour that is left out in spring, and everything that lies
 * before now. Throws `bad-config` for what is no cron expression or no zone, and for a day that never
 * comes.
 */
export function slotsOf(entry: ScheduleSettings, now: number): Slots {
  const when = recurrenceOf(entry);
  const next = (after: number): number => nextSlot(when, after) ?? Number.MAX_SAFE_INTEGER;
  if (nextSlot(when, now) === null) {
    throw badEntry(entry, `"${entry.cron}" never comes`, "Is there such a day?");
  }
  return {
    timezone: timezoneOf(entry),
    next,
    latest: (within) => latestSlot(when, within),
    catchesUp: entry.catchUp ?? isDailyOrRarer(when),
  };
}

function recurrenceOf(entry: ScheduleSettings): Recurrence {
  const { valid, fields, errors } = validateDetailed(entry.cron);
  if (!valid || fields === undefined) {
    const hint = "Five or six fields, as in `*/5 * * * *`.";
    const why = errors.map(({ message }) => message).join("; ");
    throw badEntry(entry, `"${entry.cron}" is no cron expression: ${why}`, hint);
  }
  const [seconds, minutes, hours] = [fields.second, fields.minute, fields.hour].map(sorted);
  if (!seconds || !minutes || !hours) throw new Error("a cron expression has three times");
  const first = firstOf(hours) * HOUR_MS + firstOf(minutes) * MINUTE_MS + firstOf(seconds) * 1_000;
  // Days have tokens of their own, such as `L` and `1#2`: node-cron is asked, on UTC, where each day
  // has all of its times.
  const task = createTask(entry.cron, () => undefined, { timezone: "UTC" });
  const isDay = (midnight: Civil): boolean => task.match(new Date(midnight + first));
  return { seconds, minutes, hours, isDay, zone: zoneNamed(entry) };
}

function firstOf(values: readonly number[]): number {
  return values[0] ?? 0;
}

function sorted(values: readonly number[]): readonly number[] {
  return [...new Set(values)].toSorted((a, b) => a - b);
}

function zoneNamed(entry: ScheduleSettings): Zone {
  const name = timezoneOf(entry);
  try {
    return zoneOf(name);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw badEntry(entry, `"${name}" is no time zone`, "As in the IANA database: Europe/Vienna.");
  }
}

function timezoneOf({ timezone }: ScheduleSettings): string {
  return timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function badEntry({ name }: ScheduleSettings, what: string, hint: string): HoneError {
  return new HoneError("bad-config", `schedule ${name}: ${what}`, { hint });
}
