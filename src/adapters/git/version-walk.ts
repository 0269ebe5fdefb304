/** A commit with its parents, and for each parent the names that differ between the two. */
export type Step = {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly changes: readonly ReadonlySet<string>[];
};

/**
 * A walk back through history that finds for each of many names the commit that changed it last. A
 * name goes from a commit to the first parent that has the same; the commit that differs from all
 * its parents, or has none, is the one. This is git's own default simplification of history, for
 * all names at once.
 */
export class VersionWalk {
  readonly versions = new Map<string, string>();
  /** The names that are looked for at commits that are still to come. */
  readonly #at: Map<string, Set<string>>;
  readonly #known: ReadonlyMap<string, ReadonlyMap<string, string>>;

  /** `known` are commits from which all names that they have were found before. */
  constructor(
    start: string,
    names: readonly string[],
    known: ReadonlyMap<string, ReadonlyMap<string, string>>,
  ) {
    this.#at = new Map();
    this.#known = known;
    this.#pass(start, new Set(names));
  }

  /** Commits must come before their parents. */
  step({ commit, parents, changes }: Step): void {
    let names = this.#at.get(commit);
    if (names === undefined) return;
    this.#at.delete(commit);
    for (const [n, parent] of parents.entries()) {
      const differing = new Set<string>();
      for (const name of changes[n] ?? []) if (names.delete(name)) differing.add(name);
      this.#pass(parent, names);
      names = differing;
    }
    for (const name of names) this.versions.set(name, commit);
  }

  /** Names that are not found yet, each with the commit up to which it has not changed. */
  left(): readonly { readonly name: string; readonly commit: string }[] {
    return [...this.#at].flatMap(([commit, names]) => [...names].map((name) => ({ name, commit })));
  }

  get isOver(): boolean {
    return this.#at.size === 0;
  }

  #pass(commit: string, names: Set<string>): void {
    const known = this.#known.get(commit);
    if (known !== undefined) {
      for (const name of names) {
        const version = known.get(name);
        if (version === undefined) continue;
        this.versions.set(name, version);
        names.delete(name);
      }
    }
    if (names.size === 0) return;
    const others = this.#at.get(commit);
    this.#at.set(commit, others === undefined ? names : new Set([...others, ...names]));
  }
}
