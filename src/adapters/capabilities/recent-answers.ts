import type { Reply } from "./answering.ts";

/** Answers older than this are asked for again, in milliseconds. */
const YOUNG_MS = 5_000;
const MOST = 500;

/**
 * Answers of the live world of the last few seconds, by what was asked. The gates put the same
 * questions again and again; a candidate is held against one world, and its server is asked once.
 */
export class RecentAnswers {
  readonly #now: () => number;
  readonly #answers = new Map<string, { readonly reply: Reply; readonly at: number }>();

  /** @param now milliseconds of some steady clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  get(wanted: string): Reply | undefined {
    const found = this.#answers.get(wanted);
    return found !== undefined && this.#now() - found.at < YOUNG_MS ? found.reply : undefined;
  }

  set(wanted: string, reply: Reply): void {
    this.#answers.delete(wanted);
    this.#answers.set(wanted, { reply, at: this.#now() });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST && oldest !== undefined) this.#answers.delete(oldest);
  }
}
