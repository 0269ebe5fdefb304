import { setTimeout as pause } from "node:timers/promises";

/** A stretch of the day, by the monotonic clock. */
export type Stretch = { readonly kind: "rest" | "repair"; readonly from: number; to: number };

/** One call that was accepted, with what it was answered. */
export type Answered = {
  readonly client: string;
  readonly skill: string;
  /** When it was asked for the last time, by the monotonic clock. */
  readonly at: number;
  /** From then to its answer. */
  readonly ms: number;
  /** Its run in the ledger. */
  readonly run: string;
  /** Empty: it was a call; else the id under which it was submitted. */
  readonly task: string;
};

/** What all clients of the day were answered. */
export class Tally {
  readonly answered: Answered[] = [];
  /** Calls that were cut, so that nobody knows whether they were carried out. */
  cut = 0;
  /** Runs of those who look whether all is right. */
  readonly probes: string[] = [];
  readonly #stretches: Stretch[] = [];

  /** From now on it is so; null: it is neither, for instance while the daemon is away. */
  mark(kind: Stretch["kind"] | null): void {
    const now = performance.now();
    const last = this.#stretches.at(-1);
    if (last !== undefined && last.to === Infinity) {
      if (last.kind === kind) return;
      last.to = now;
    }
    if (kind !== null) this.#stretches.push({ kind, from: now, to: Infinity });
  }

  /** Durations of calls that ended within stretches of a kind, sorted, for some skills. */
  durations(kind: Stretch["kind"], skills: ReadonlySet<string>): readonly number[] {
    const stretches = this.#stretches.filter((one) => one.kind === kind);
    return this.answered
      .filter(({ skill, at, ms, task }) => {
        const isWithin = ({ from, to }: Stretch): boolean => at >= from && at + ms <= to;
        return task === "" && skills.has(skill) && stretches.some(isWithin);
      })
      .map(({ ms }) => ms)
      .toSorted((a, b) => a - b);
  }
}

/** The value below which a share of sorted values lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Asks until the answer is not null. Throws after `withinMs`, naming what was waited for. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null>,
  withinMs = 90_000,
): Promise<T> {
  const endsAt = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > endsAt) throw new Error(`it never came about: ${what}`);
    await pause(100);
  }
}
