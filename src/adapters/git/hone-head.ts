import { readFileSync } from "node:fs";
import path from "node:path";
import { HONE_REF } from "./names.ts";
import type { ObjectReader } from "./object-reader.ts";
import type { Place } from "./place.ts";

/**
 * Where the branch `hone` stands. Each run asks, so a branch that has not moved is recognised by the
 * file that git keeps for it, in a fraction of the time that a process takes to answer. Whatever that
 * file does not say, git is asked for.
 */
export class HoneHead {
  readonly #reader: ObjectReader;
  readonly #file: string;
  #known: string | null = null;

  constructor({ commonDir }: Place, reader: ObjectReader) {
    this.#reader = reader;
    this.#file = path.join(commonDir, HONE_REF);
  }

  /** The commit, or null where there is no such branch. Rejects with `git-failed`. */
  async commit(): Promise<string | null> {
    if (this.#known !== null && this.#told() === `${this.#known}\n`) return this.#known;
    const object = await this.#reader.read(HONE_REF);
    this.#known = object?.type === "commit" ? object.id : null;
    return this.#known;
  }

  /** The file's text, "" where there is none: git may have packed the branch. */
  #told(): string {
    try {
      return readFileSync(this.#file, "latin1");
    } catch {
      return "";
    }
  }
}
