/** A reading of a wall clock, in milliseconds: the instant at which a clock on UTC would show it. */
export type Civil = number;

/** What the clocks of a time zone show. */
export type Zone = {
  /** Milliseconds by which they are ahead of UTC at an instant. */
  readonly offsetAt: (instant: number) => number;
};

const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Clocks are changed at full quarters of an hour only, all over the world since 2012. */
const QUARTER_MS = 15 * MINUTE_MS;
/** Offsets remembered of one zone. */
const MOST = 1_000;

/** A zone of the IANA database, as the runtime has it. Throws a RangeError for a name that is none. */
export function zoneOf(name: string): Zone {
  const format = new Intl.DateTimeFormat("en-US", { ...SHOWN, timeZone: name });
  const known = new Map<number, number>();
  return {
    offsetAt(instant) {
      const quarter = Math.floor(instant / QUARTER_MS) * QUARTER_MS;
      const found = known.get(quarter);
      if (found !== undefined) return found;
      if (known.size >= MOST) known.clear();
      const offset = readingOf(format, quarter) - quarter;
      known.set(quarter, offset);
      return offset;
    },
  };
}

const SHOWN = {
  calendar: "gregory",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
} as const;

function readingOf(format: Intl.DateTimeFormat, instant: number): Civil {
  const part = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const at = (type: string): number => Number(part.get(type as Intl.DateTimeFormatPartTypes));
  return Date.UTC(at("year"), at("month") - 1, at("day"), at("hour"), at("minute"), at("second"));
}

/** What the zone's clocks show at an instant. */
export function civilAt(instant: number, zone: Zone): Civil {
  return instant + zone.offsetAt(instant);
}

/**
 * The first instant at which the zone's clocks show this, or have left it out: in the hour that comes
 * twice in autumn, the first of the two; in the one that is left out in spring, its end.
 */
export function firstInstantOf(civil: Civil, zone: Zone): number {
  const before = zone.offsetAt(civil - DAY_MS);
  const after = zone.offsetAt(civil + DAY_MS);
  const shown = [civil - before, civil - after].filter((at) => civilAt(at, zone) === civil);
  return shown.length > 0 ? Math.min(...shown) : changeWithin(civil - after, civil - before, zone);
}

/** The instant between two at which clocks are put forward. */
function changeWithin(from: number, to: number, zone: Zone): number {
  const before = zone.offsetAt(from);
  let [low, high] = [from, to];
  while (high - low > SECOND_MS) {
    const middle = low + Math.ceil((high - low) / 2 / SECOND_MS) * SECOND_MS;
    if (middle >= high) return high;
    if (zone.offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}
