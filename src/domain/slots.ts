import {
  civilAt,
  DAY_MS,
  firstInstantOf,
  HOUR_MS,
  MINUTE_MS,
  type Civil,
  type Zone,
} from "./civil-time.ts";

/** When something recurs, by what a wall clock shows. Numbers are sorted and in their usual ranges. */
export type Recurrence = {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** Whether the day that begins then is one of its days. */
  readonly isDay: (midnight: Civil) => boolean;
  readonly zone: Zone;
};

const SECOND_MS = 1_000;
/** Days looked at for the next slot: 29 February on a Monday comes every 28 or 40 years. */
const MOST_DAYS = 366 * 41;

/**
 * The first slot after an instant, as an instant; null where there will be none. What recurs every
 * hour recurs by real time, through the hour that comes twice as well. What has hours of its own has
 * each of its times once a day: in the first of two such hours, and where clocks leave a time out, at
 * the instant at which they do. Those are the rules of Vixie cron.
 */
export function nextSlot(when: Recurrence, after: number): number | null {
  return when.hours.length === 24 ? nextByTheHour(when, after) : nextByTheDay(when, after);
}

/** Windows before an instant in which the latest slot is looked for, the narrowest first. */
const WINDOWS = [MINUTE_MS, HOUR_MS, DAY_MS, 35 * DAY_MS, MOST_DAYS * DAY_MS];

/** The last slot after `after` that is not after `upTo`; null where there is none. */
export function latestSlot(
  when: Recurrence,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): number | null {
  for (const window of WINDOWS) {
    const from = Math.max(after, upTo - window);
    let latest: number | null = null;
    for (let next = nextSlot(when, from); next !== null && next <= upTo;) {
      latest = next;
      next = nextSlot(when, next);
    }
    if (latest !== null || from === after) return latest;
  }
  return null;
}

/** Whether there is one slot a day at most. */
export function isDailyOrRarer({ hours, minutes, seconds }: Recurrence): boolean {
  return hours.length * minutes.length * seconds.length === 1;
}

function nextByTheHour(
  { seconds, minutes, isDay, zone }: Recurrence,
  after: number,
): number | null {
  const isOfDay = rememberingLast(isDay);
  let at = Math.floor(after / SECOND_MS) * SECOND_MS + SECOND_MS;
  const end = at + MOST_DAYS * DAY_MS;
  while (at < end) {
    const civil = civilAt(at, zone);
    const midnight = midnightOf(civil);
    if (!isOfDay(midnight)) {
      at = firstInstantOf(midnight + DAY_MS, zone);
      continue;
    }
    const passed = (civil % MINUTE_MS) / SECOND_MS;
    const second = minutes.includes(Math.floor((civil % HOUR_MS) / MINUTE_MS))
      ? seconds.find((one) => one >= passed)
      : undefined;
    if (second !== undefined) return at + (second - passed) * SECOND_MS;
    at += MINUTE_MS - passed * SECOND_MS;
  }
  return null;
}

function nextByTheDay(when: Recurrence, after: number): number | null {
  const { isDay, zone } = when;
  const start = civilAt(after, zone);
  const today = midnightOf(start);
  for (let day = 0; day < MOST_DAYS; day += 1) {
    const midnight = today + day * DAY_MS;
    if (!isDay(midnight)) continue;
    for (const time of timesOf(when, start - midnight)) {
      const instant = firstInstantOf(midnight + time, zone);
      if (instant > after) return instant;
    }
  }
  return null;
}

/** Times of the day that are not before one, as milliseconds since midnight, in order. */
function* timesOf({ hours, minutes, seconds }: Recurrence, from: number): Generator<number> {
  for (const hour of hours) {
    if ((hour + 1) * HOUR_MS <= from) continue;
    for (const minute of minutes) {
      for (const second of seconds) {
        const time = hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS;
        if (time >= Math.floor(from / SECOND_MS) * SECOND_MS) yield time;
      }
    }
  }
}

function midnightOf(civil: Civil): Civil {
  return Math.floor(civil / DAY_MS) * DAY_MS;
}

function rememberingLast(isDay: (midnight: Civil) => boolean): (midnight: Civil) => boolean {
  let last: { readonly midnight: Civil; readonly isOne: boolean } | null = null;
  return (midnight) => {
    if (last?.midnight !== midnight) last = { midnight, isOne: isDay(midnight) };
    return last.isOne;
  };
}
