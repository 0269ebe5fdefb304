/**
 * Discrete-event time: things become due after a number of turns (microtask turns: no time passes)
 * or of milliseconds (timers). Turns come before any timer. Things due in one turn are taken as a
 * first-in-first-out queue holds them: what is asked in answer to a thing stands at its place.
 * Timers due at one millisecond keep the order in which they were set.
 */
export class VirtualTime<T> {
  #queue: readonly Due<T>[] = [];
  /** Asked since the last advance; they belong at `#place`. */
  #asked: Due<T>[] = [];
  #timers: Due<T>[] = [];
  #turn = 0;
  #elapsedMs = 0;
  #place = 0;

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** How many things are not due yet. */
  get size(): number {
    return this.#queue.length + this.#asked.length + this.#timers.length;
  }

  afterTurns(thing: T, turns: number): void {
    this.#asked.push({ thing, due: this.#turn + turns });
  }

  afterMs(thing: T, ms: number): void {
    this.#timers.push({ thing, due: this.#elapsedMs + ms });
  }

  /** Goes on to the next instant at which anything is due, and takes it; empty at the end. */
  advance(): readonly T[] {
    const before = this.#queue.slice(0, this.#place);
    this.#queue = [...before, ...this.#asked, ...this.#queue.slice(this.#place)];
    this.#asked = [];
    return this.#queue.length > 0 ? this.#takeTurn() : this.#takeTimers();
  }

  /** Neighbours only: what stands behind a thing that is not due yet is taken next, in this turn. */
  #takeTurn(): readonly T[] {
    this.#turn = earliest(this.#queue);
    const from = this.#queue.findIndex(({ due }) => due === this.#turn);
    const after = this.#queue.findIndex(({ due }, at) => at > from && due !== this.#turn);
    const to = after === -1 ? this.#queue.length : after;
    const taken = this.#queue.slice(from, to);
    this.#queue = [...this.#queue.slice(0, from), ...this.#queue.slice(to)];
    this.#place = from;
    return taken.map(({ thing }) => thing);
  }

  #takeTimers(): readonly T[] {
    if (this.#timers.length === 0) return [];
    this.#elapsedMs = earliest(this.#timers);
    const taken = this.#timers.filter(({ due }) => due === this.#elapsedMs);
    this.#timers = this.#timers.filter(({ due }) => due !== this.#elapsedMs);
    this.#place = 0;
    return taken.map(({ thing }) => thing);
  }
}

/** A thing and the turn, or the millisecond, at which it is due. */
type Due<T> = { readonly thing: T; readonly due: number };

function earliest(entries: readonly { readonly due: number }[]): number {
  return entries.reduce((least, { due }) => Math.min(least, due), Infinity);
}
