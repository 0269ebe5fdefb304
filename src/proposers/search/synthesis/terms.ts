import { PRECEDENCE } from "../precedence.ts";
import { distinctColumns } from "./columns.ts";
import type { Operation, Taken } from "./operation.ts";
import {
  isSmall,
  keyOfValue,
  NO_VALUE,
  valueKindOf,
  type Value,
  type ValueKind,
} from "./values.ts";

/** An expression with the values that it has in all contexts. */
export type Term = {
  readonly text: string;
  /** Binding strength of its outermost operator. */
  readonly binds: number;
  readonly cost: number;
  /** By context, the number of its value among all that occurred. */
  readonly vector: readonly number[];
  /** Kind of its values; null where they are of several. */
  readonly kind: ValueKind | null;
  /** Made of literals alone: what is computed from them is another literal. */
  readonly isLiteral: boolean;
};

/** Terms that have the same value in every context; the simplest stands for them. */
export type TermClass = {
  readonly best: Term;
  /** Others of the same values, the most promising first. */
  readonly others: readonly Term[];
};

/** A term to begin with: a name, a constant, an expression that stands in the program. */
export type Leaf = {
  readonly text: string;
  readonly binds: number;
  readonly cost: number;
  readonly values: readonly (Value | typeof NO_VALUE)[];
  readonly isLiteral?: boolean;
};

export type TermLimits = {
  /** No term costs more. */
  readonly cost: number;
  /** Values computed at most. */
  readonly work: number;
  /** Classes at most. */
  readonly classes: number;
};

type Found = { readonly best: Term; readonly others: { term: Term; promise: number }[] };

/** Terms of one class that are kept besides the one that stands for it. */
const MOST_OTHERS = 3;

/**
 * Expressions from the bottom up, the cheaper first, one for all that have the same values in every
 * context (observational equivalence: Udupa et al., TRANSIT, PLDI 2013; Albarghouthi et al.,
 * Escher, CAV 2013), in the order of a cost that stands for likelihood (Barke et al., Probe,
 * OOPSLA 2020). One that has no value in some context is no term. Nothing of the program runs: the
 * values at the leaves were noted, and the operations on them are hone's own.
 */
export class Terms {
  /** The cheaper first. */
  readonly classes: readonly TermClass[];
  readonly #found: Found[] = [];
  readonly #values: Value[] = [];
  readonly #ids = new Map<string, number>();
  readonly #byVector = new Map<string, Found>();
  /** Terms that stand for their class, by cost and then by kind; "any" has them all. */
  readonly #levels: Map<Taken, Term[]>[] = [];
  readonly #limits: TermLimits;
  readonly #promiseOf: (term: Pick<Term, "text" | "cost">) => number;
  #work = 0;

  constructor(
    leaves: readonly Leaf[],
    operations: readonly Operation[],
    limits: TermLimits,
    promiseOf: (term: Pick<Term, "text" | "cost">) => number = ({ cost }) => -cost,
  ) {
    this.#limits = limits;
    this.#promiseOf = promiseOf;
    const begun = leaves.flatMap((leaf) => this.#begun(leaf));
    const columns = distinctColumns(begun.map(({ vector }) => vector));
    const byCost = Map.groupBy(begun, ({ cost }) => cost);
    for (let cost = 0; cost <= limits.cost && !this.#isSpent(); cost += 1) {
      this.#levels[cost] = new Map();
      for (const leaf of byCost.get(cost) ?? []) {
        this.#add({ ...leaf, vector: columns.narrow(leaf.vector) });
      }
      for (const operation of operations) this.#grow(operation, cost);
    }
    const wide = (term: Term): Term => ({ ...term, vector: columns.wide(term.vector) });
    this.classes = this.#found.map(({ best, others }) => ({
      best: wide(best),
      others: others.map(({ term }) => wide(term)),
    }));
  }

  /** The values of a term, context by context. */
  valuesOf({ vector }: Pick<Term, "vector">): readonly Value[] {
    return vector.map((id) => this.#values[id]);
  }

  /** The number of a value, by which vectors can be compared. */
  idOf(value: Value): number {
    const key = keyOfValue(value);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    this.#values.push(value);
    this.#ids.set(key, this.#values.length - 1);
    return this.#values.length - 1;
  }

  /** The kind of some values; null where they are of several. */
  kindOf(vector: readonly number[]): ValueKind | null {
    const kinds = new Set(vector.map((id) => valueKindOf(this.#values[id])));
    const [only] = kinds;
    return kinds.size === 1 && only !== undefined ? only : null;
  }

  /** A leaf as a term, where it has a value in every context. */
  #begun({ text, binds, cost, values, isLiteral = false }: Leaf): Omit<Term, "kind">[] {
    const known = values.filter((value) => value !== NO_VALUE && isSmall(value));
    if (known.length < values.length) return [];
    const vector = known.map((one) => this.idOf(one as Value));
    return [{ text, binds, cost, vector, isLiteral }];
  }

  #grow(operation: Operation, cost: number): void {
    const { takes } = operation;
    const left = cost - operation.cost;
    if (takes.length === 1) {
      for (const a of this.#of(left, operation, 0)) this.#apply(operation, [a], cost);
      return;
    }
    for (let first = 0; first < left; first += 1) {
      const rest = left - first;
      if (takes.length === 2) this.#growPairs(operation, [first, rest], cost);
      else this.#growTriples(operation, [first, rest], cost);
      if (this.#isSpent()) return;
    }
  }

  #growPairs(operation: Operation, [first, second]: readonly [number, number], cost: number): void {
    if (operation.isSymmetric === true && first > second) return;
    const seconds = this.#of(second, operation, 1);
    for (const a of this.#of(first, operation, 0)) {
      // What compares has a twin with the literal on the right.
      if (a.isLiteral && operation.gives === "boolean" && operation.isSymmetric === false) continue;
      // Literals stand on the right where they may.
      const isTurned = operation.isSymmetric === true && a.isLiteral;
      for (const b of seconds) {
        if (a !== b) this.#apply(operation, isTurned ? [b, a] : [a, b], cost);
      }
      if (this.#isSpent()) return;
    }
  }

  #growTriples(operation: Operation, [first, rest]: readonly [number, number], cost: number): void {
    for (const a of this.#of(first, operation, 0)) {
      for (let second = 0; second < rest; second += 1) {
        const thirds = this.#of(rest - second, operation, 2);
        for (const b of this.#of(second, operation, 1)) {
          for (const c of thirds) if (b !== c) this.#apply(operation, [a, b, c], cost);
        }
        if (this.#isSpent()) return;
      }
    }
  }

  #of(cost: number, { takes }: Operation, place: number): readonly Term[] {
    const level = cost < 0 ? undefined : this.#levels[cost];
    return level?.get(takes[place] ?? "any") ?? [];
  }

  #apply(operation: Operation, operands: readonly Term[], cost: number): void {
    if (this.#isSpent() || operands.every(({ isLiteral }) => isLiteral)) return;
    const [first, second, third] = operands;
    const length = first?.vector.length ?? 0;
    // Operands are chosen by kind, so that the operation can take them.
    const apply = operation.apply as (...operands: readonly Value[]) => Value | typeof NO_VALUE;
    const vector: number[] = [];
    for (let at = 0; at < length; at += 1) {
      this.#work += 1;
      const [a, b, c] = [this.#at(first, at), this.#at(second, at), this.#at(third, at)];
      const value = apply(a, b, c);
      if (value === NO_VALUE || !isSmall(value)) return;
      vector.push(this.idOf(value));
    }
    const texts = operands.map(({ text, binds }, at) =>
      binds < (operation.operands[at] ?? 0) ? `(${text})` : text,
    );
    const text = operation.write(...texts);
    this.#add({ text, binds: operation.binds, cost, vector, isLiteral: false });
  }

  #at(term: Term | undefined, context: number): Value {
    return term === undefined ? undefined : this.#values[term.vector[context] ?? 0];
  }

  #add(made: Omit<Term, "kind">): void {
    const key = made.vector.join();
    const known = this.#byVector.get(key);
    if (known !== undefined) {
      this.#addOther(known, made);
      return;
    }
    const best: Term = { ...made, kind: this.kindOf(made.vector) };
    const found: Found = { best, others: [] };
    this.#byVector.set(key, found);
    this.#found.push(found);
    const level = this.#levels[best.cost];
    for (const kind of [best.kind ?? "mixed", "any"] as const) {
      const terms = level?.get(kind);
      if (terms === undefined) level?.set(kind, [best]);
      else terms.push(best);
    }
  }

  #addOther({ best, others }: Found, made: Omit<Term, "kind">): void {
    if (best.text === made.text || others.some(({ term }) => term.text === made.text)) return;
    const promise = this.#promiseOf(made);
    if (others.length >= MOST_OTHERS && promise <= (others.at(-1)?.promise ?? 0)) return;
    const after = others.findIndex((other) => other.promise < promise);
    const term = { ...made, kind: best.kind };
    others.splice(after < 0 ? others.length : after, 0, { term, promise });
    others.length = Math.min(others.length, MOST_OTHERS);
  }

  #isSpent(): boolean {
    return this.#work >= this.#limits.work || this.#found.length >= this.#limits.classes;
  }
}

/** A constant that has the same value everywhere. */
export function constant(text: string, value: Value, cost: number, contexts: number): Leaf {
  const binds = text.startsWith("-") ? PRECEDENCE.unary : PRECEDENCE.member;
  const values = Array.from({ length: contexts }, () => value);
  return { text, binds, cost, values, isLiteral: true };
}
