/** Values for one reader, in the order in which they come; null once nothing more will. */
export class Inbox<T> {
  readonly #held: T[] = [];
  #waiting: ((value: T | null) => void) | null = null;
  #isClosed = false;

  /** The next value; null when the inbox is closed and empty. */
  next(): Promise<T | null> {
    const value = this.#held.shift();
    if (value !== undefined) return Promise.resolve(value);
    if (this.#isClosed) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  put(value: T): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) this.#held.push(value);
    else waiting(value);
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting?.(null);
    this.#waiting = null;
  }
}
