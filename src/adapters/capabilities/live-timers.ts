/**
 * Timers that exist only while somebody waits for them: a run that ends with timers still set
 * leaves none behind, and holds no process.
 */
export class LiveTimers<T> {
  #set: { readonly thing: T; readonly dueAt: number }[] = [];

  get size(): number {
    return this.#set.length;
  }

  add(thing: T, ms: number): void {
    this.#set.push({ thing, dueAt: performance.now() + ms });
  }

  /** Takes what has become due, with the instant of each, in that order. */
  take(): readonly { readonly thing: T; readonly dueAt: number }[] {
    const now = performance.now();
    const due = this.#set.filter(({ dueAt }) => dueAt <= now);
    if (due.length > 0) this.#set = this.#set.filter(({ dueAt }) => dueAt > now);
    return due.toSorted((a, b) => a.dueAt - b.dueAt);
  }

  /** Calls back once when the next timer is due, unless disposed of before. */
  wait(wake: () => void): Disposable {
    const next = this.#set.reduce((least, { dueAt }) => Math.min(least, dueAt), Infinity);
    if (next === Infinity) return { [Symbol.dispose]: () => {} };
    const timer = setTimeout(wake, Math.max(0, Math.ceil(next - performance.now())));
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  }
}
