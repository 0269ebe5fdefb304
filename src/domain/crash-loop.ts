/** A life of the daemon that has begun and of whose end nothing is known. */
type OpenLife = {
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  readonly pid: number;
  /** The boot of the machine: what another boot left open was ended by the machine. */
  readonly boot: string;
};

export type Crash = {
  /** When it was noticed: at once, or by the next start. */
  readonly at: number;
  readonly reason: string;
};

/** What is kept of the daemon's lives; it outlives each of them. */
export type LifeRecord = {
  /** Null: the last one ended in order, or its crash is counted already. */
  readonly open: OpenLife | null;
  /** Oldest first, not more than `MOST_CRASHES`. */
  readonly crashes: readonly Crash[];
  /** Null: the next start is a normal one. */
  readonly safe: { readonly since: number; readonly why: string } | null;
};

export type CrashLoopSettings = {
  readonly crashes: number;
  readonly crashWindowMs: number;
  readonly quietMs: number;
};

/** Before the first life. */
export const NO_LIFE: LifeRecord = { open: null, crashes: [], safe: null };

const MOST_CRASHES = 1_000;

/** Characters of a reason that are kept. */
const LONGEST_REASON = 500;

const WITHOUT_A_WORD = "it ended without a word, as by kill -9 or for want of memory";

/**
 * A life begins. One that is still open has crashed; after several crashes within the window this
 * life is in safe mode, until there was none for the quiet time.
 */
export function begun(before: LifeRecord, life: OpenLife, settings: CrashLoopSettings): LifeRecord {
  const left = leftOpen(before, life);
  const safe = isQuiet(left, life.at, settings) ? null : left.safe;
  const crashes = safe === null && left.safe !== null ? [] : left.crashes;
  const recent = crashes.filter(({ at }) => at > life.at - settings.crashWindowMs);
  const isLooping = recent.length >= settings.crashes;
  return {
    open: life,
    crashes,
    safe: safe ?? (isLooping ? { since: life.at, why: whyOf(recent) } : null),
  };
}

/** A life crashes and can still say so. */
export function crashed(before: LifeRecord, crash: Crash): LifeRecord {
  const short = { ...crash, reason: crash.reason.slice(0, LONGEST_REASON) };
  return { ...before, open: null, crashes: [...before.crashes, short].slice(-MOST_CRASHES) };
}

/** A life ends in order. */
export function ended(before: LifeRecord): LifeRecord {
  return { ...before, open: null };
}

/** A person, or the quiet time, ends safe mode: earlier crashes do not count any more. */
export function normal(before: LifeRecord): LifeRecord {
  return { ...before, safe: null, crashes: [] };
}

/** When safe mode ends without another crash, in milliseconds since the epoch; null: not in it. */
export function quietAt(
  { safe, crashes }: LifeRecord,
  { quietMs }: CrashLoopSettings,
): number | null {
  if (safe === null) return null;
  return Math.max(safe.since, crashes.at(-1)?.at ?? 0) + quietMs;
}

function leftOpen(before: LifeRecord, { at, boot }: OpenLife): LifeRecord {
  if (before.open === null || before.open.boot !== boot) return before;
  return crashed(before, { at, reason: WITHOUT_A_WORD });
}

function isQuiet(record: LifeRecord, now: number, settings: CrashLoopSettings): boolean {
  const at = quietAt(record, settings);
  return at !== null && now >= at;
}

function whyOf(recent: readonly Crash[]): string {
  const last = recent.at(-1)?.reason ?? "";
  return `the daemon crashed ${recent.length} times in a row; the last time: ${last}`;
}
