import type { TreeEntry } from "./trees.ts";

/** Entries of trees kept in memory: those of a library of some thousand skills. */
const MOST_ENTRIES = 30_000;

/** Trees read lately. What an id stands for never changes; from one head to the next few trees do. */
export class KnownTrees {
  readonly #trees = new Map<string, readonly TreeEntry[]>();
  #entries = 0;

  get(id: string): readonly TreeEntry[] | undefined {
    const found = this.#trees.get(id);
    if (found === undefined) return undefined;
    this.#trees.delete(id);
    this.#trees.set(id, found);
    return found;
  }

  add(id: string, tree: readonly TreeEntry[]): void {
    if (this.#trees.has(id)) return;
    this.#trees.set(id, tree);
    this.#entries += tree.length;
    for (const [oldest, { length }] of this.#trees) {
      if (this.#entries <= MOST_ENTRIES) return;
      this.#trees.delete(oldest);
      this.#entries -= length;
    }
  }
}
