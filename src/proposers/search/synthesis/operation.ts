import { PRECEDENCE } from "../precedence.ts";
import { NO_VALUE, type Value, type ValueKind } from "./values.ts";

/** What an operation takes in one place: a kind, what is now of one and now of another, any data. */
export type Taken = ValueKind | "mixed" | "any";

/** An operation of the language or of its library, over data, without effects. */
export type Operation = {
  readonly takes: readonly Taken[];
  /** The kind that comes of it; null where that depends. */
  readonly gives: ValueKind | null;
  /** What it adds to the cost of an expression; a name costs 2. */
  readonly cost: number;
  /** Binding strength of what is written, and of what each operand must bind tighter than. */
  readonly binds: number;
  readonly operands: readonly number[];
  readonly write: (...operands: readonly string[]) => string;
  readonly apply: (...operands: readonly never[]) => Value | typeof NO_VALUE;
  /** Whether its operands may change places. */
  readonly isSymmetric?: boolean;
};

/** Least strength of an operand that stands in parentheses or between commas. */
const LOOSE = PRECEDENCE.assignment;

type Head = readonly [takes: readonly Taken[], gives: ValueKind | null, cost: number];

type Write = Operation["write"];

/** `x.name(y, ...)`, `x[y]`, or anything that binds like them: only the first operand must bind. */
export function member(
  [takes, gives, cost]: Head,
  write: Write,
  apply: Operation["apply"],
): Operation {
  const { member: tight } = PRECEDENCE;
  const operands = takes.map((_, at) => (at === 0 ? tight : LOOSE));
  return { takes, gives, cost, binds: tight, operands, write, apply };
}

/** A call of a function of the library, or a list: all its operands stand between commas. */
export function enclosed(
  [takes, gives, cost]: Head,
  write: Write,
  apply: Operation["apply"],
): Operation {
  const operands = takes.map(() => LOOSE);
  return { takes, gives, cost, binds: PRECEDENCE.member, operands, write, apply };
}

/** `x sign y`, by default for operands that may not change places. */
export function infix(
  [takes, gives, cost]: Head,
  [sign, binds]: readonly [string, number],
  apply: Operation["apply"],
  isSymmetric = false,
): Operation {
  const operands = [binds, binds + 1];
  const write: Write = (a, b) => `${a} ${sign} ${b}`;
  return { takes, gives, cost, binds, operands, write, apply, isSymmetric };
}

/** A number, unless it is one that arithmetic only comes to by mistake. */
export function finite(value: number): number | typeof NO_VALUE {
  return Number.isFinite(value) ? value : NO_VALUE;
}
