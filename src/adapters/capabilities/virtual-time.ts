/**
 * Discrete-event time: things become due after a number of turns (microtask turns, no time passes)
 * or of milliseconds (timers). Turns come before any timer. Things due in the same turn keep the
 * order of a first-in-first-out queue: what was asked in answer to a thing stands at its place.
 * Timers due at the same millisecond keep the order in which they were set.
 */
export class VirtualTime<T> {
  #turns: readonly { readonly thing: T; readonly left: number }[] = [];
  #timers: readonly { readonly thing: T; readonly dueMs: number }[] = [];
  #insertAt = 0;
  #elapsedMs = 0;

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  afterTurns(thing: T, turns: number): void {
    this.#turns = this.#turns.toSpliced(this.#insertAt, 0, { thing, left: turns });
    this.#insertAt += 1;
  }

  afterMs(thing: T, ms: number): void {
    this.#timers = [...this.#timers, { thing, dueMs: this.#elapsedMs + ms }];
  }

  /** Goes on to the next instant at which anything is due, and takes it all; empty at the end. */
  advance(): readonly T[] {
    return this.#turns.length > 0 ? this.#nextTurn() : this.#nextTimers();
  }

  #nextTurn(): readonly T[] {
    const passed = Math.min(...this.#turns.map(({ left }) => left));
    const due = this.#turns.filter(({ left }) => left === passed);
    const lastAt = this.#turns.findLastIndex(({ left }) => left === passed);
    this.#insertAt = lastAt + 1 - due.length;
    this.#turns = this.#turns
      .filter(({ left }) => left > passed)
      .map(({ thing, left }) => ({ thing, left: left - passed }));
    return due.map(({ thing }) => thing);
  }

  #nextTimers(): readonly T[] {
    if (this.#timers.length === 0) return [];
    this.#elapsedMs = Math.min(...this.#timers.map(({ dueMs }) => dueMs));
    const due = this.#timers.filter(({ dueMs }) => dueMs === this.#elapsedMs);
    this.#timers = this.#timers.filter(({ dueMs }) => dueMs > this.#elapsedMs);
    this.#insertAt = 0;
    return due.map(({ thing }) => thing);
  }
}
