/** Stands for all names beyond those that are told apart. */
const OTHER = "other";

/**
 * Names as values of a label: the first so many that come up are told apart, all others are one. A
 * label whose values grow with use would make as many time series as there are names.
 */
export class BoundedNames {
  readonly #most: number;
  readonly #known = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  of(name: string): string {
    if (this.#known.has(name)) return name;
    if (this.#known.size >= this.#most) return OTHER;
    this.#known.add(name);
    return name;
  }
}
