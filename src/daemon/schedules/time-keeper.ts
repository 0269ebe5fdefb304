import type { Slots } from "./slots.ts";

/** The time of day, and being woken. Tests bring their own. */
export type Clock = {
  /** Milliseconds since the epoch; may jump. */
  readonly now: () => number;
  /** Calls once after so many milliseconds of work, which may come late; disposing forgets it. */
  readonly wake: (afterMs: number, call: () => void) => Disposable;
};

/** Something that is due in slots. */
export type Timed = {
  readonly slots: Slots;
  /** The instant up to which its slots are done with. */
  readonly since: number;
  /** A slot has come. False: it could not be begun, and is tried again. */
  readonly onDue: (slot: number) => boolean;
  /** A slot was missed and is let go. */
  readonly onMissed: (slot: number) => void;
};

/**
 * Looked at least this often, in milliseconds: a timer sleeps as long as the machine does, and knows
 * nothing of a clock that is put forward or back.
 */
const LONGEST_SLEEP_MS = 20_000;

/** A slot that comes late by less is done at once; what is later was missed. In milliseconds. */
const LATE_MS = 60_000;

/**
 * Calls what is due, each slot once it has come, and of several that have passed the last only. One
 * timer for all; it depends on no timer being on time, and where the clock is put back, what was done
 * already is for `onDue` to know.
 */
export function keepTime(entries: readonly Timed[], clock: Clock): Disposable {
  const doneUpTo = new Map(entries.map((entry) => [entry, entry.since]));
  let timer: Disposable | null = null;
  let isOver = false;
  const turn = (): void => {
    const now = clock.now();
    for (const entry of entries) {
      const after = Math.min(doneUpTo.get(entry) ?? now, now);
      if (see(entry, after, now)) doneUpTo.set(entry, now);
    }
    if (!isOver) timer = clock.wake(sleepOf(entries, clock.now()), turn);
  };
  turn();
  return {
    [Symbol.dispose]() {
      isOver = true;
      timer?.[Symbol.dispose]();
    },
  };
}

/** Whether all slots up to now are done with. */
function see({ slots, onDue, onMissed }: Timed, after: number, now: number): boolean {
  const slot = slots.latest({ after, upTo: now });
  if (slot === null) return true;
  if (slots.catchesUp || now - slot < LATE_MS) return onDue(slot);
  onMissed(slot);
  return true;
}

function sleepOf(entries: readonly Timed[], now: number): number {
  const next = Math.min(...entries.map(({ slots }) => slots.next(now)));
  return Math.min(LONGEST_SLEEP_MS, Math.max(1, next - now));
}

/** The clock of this machine. */
export const machineClock: Clock = {
  now: Date.now,
  wake(afterMs, call) {
    // It keeps no process up that has nothing else to do.
    const timer = setTimeout(call, afterMs).unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
