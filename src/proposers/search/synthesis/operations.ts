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

const { member, unary, sum, product, relation, equality, and, or } = PRECEDENCE;

/** Least strength of an operand that stands in parentheses or between commas. */
const LOOSE = PRECEDENCE.assignment;

type Text = (...operands: readonly string[]) => string;

/** `x.name(y, ...)`, a call of a function, or anything that binds like one. */
function call(
  [takes, gives, cost]: readonly [readonly Taken[], ValueKind | null, number],
  write: Text,
  apply: Operation["apply"],
  operands: readonly number[] = takes.map((_, at) => (at === 0 ? member : LOOSE)),
): Operation {
  return { takes, gives, cost, binds: member, operands, write, apply };
}

/** A function of the library: all its operands stand between commas. */
function global(
  head: readonly [readonly Taken[], ValueKind | null, number],
  write: Text,
  apply: Operation["apply"],
): Operation {
  return call(
    head,
    write,
    apply,
    head[0].map(() => LOOSE),
  );
}

function infix(
  [takes, gives, cost]: readonly [readonly Taken[], ValueKind | null, number],
  [sign, binds]: readonly [string, number],
  apply: Operation["apply"],
  isSymmetric = false,
): Operation {
  const operands = [binds, binds + 1];
  const write: Text = (a, b) => `${a} ${sign} ${b}`;
  return { takes, gives, cost, binds, operands, write, apply, isSymmetric };
}

type List = readonly Value[];
type Members = { readonly [key: string]: Value };

const NUMBERS = ["number", "number"] as const;
const finite = (value: number): number | typeof NO_VALUE =>
  Number.isFinite(value) ? value : NO_VALUE;

const ARITHMETIC: readonly Operation[] = [
  infix([NUMBERS, "number", 1], ["+", sum], (a: number, b: number) => finite(a + b), true),
  infix([NUMBERS, "number", 1], ["-", sum], (a: number, b: number) => finite(a - b)),
  infix([NUMBERS, "number", 2], ["*", product], (a: number, b: number) => finite(a * b), true),
  infix([NUMBERS, "number", 2], ["/", product], (a: number, b: number) => finite(a / b)),
  infix([NUMBERS, "number", 2], ["%", product], (a: number, b: number) => finite(a % b)),
  global(
    [NUMBERS, "number", 2],
    (a, b) => `Math.max(${a}, ${b})`,
    (a: number, b: number) => finite(Math.max(a, b)),
  ),
  global(
    [NUMBERS, "number", 2],
    (a, b) => `Math.min(${a}, ${b})`,
    (a: number, b: number) => finite(Math.min(a, b)),
  ),
  ...["abs", "floor", "ceil", "round"].map((name) =>
    global(
      [["number"], "number", 2],
      (a) => `Math.${name}(${a})`,
      (a: number) => finite(Math[name as "abs"](a)),
    ),
  ),
  {
    takes: ["number"],
    gives: "number",
    cost: 2,
    binds: unary,
    operands: [member],
    write: (a) => `-${a}`,
    apply: (a: number) => -a,
  },
];

const compares = (
  sign: string,
  holds: (a: number | string, b: number | string) => boolean,
): readonly Operation[] => [
  infix([NUMBERS, "boolean", 1], [sign, relation], holds),
  infix([["string", "string"], "boolean", 3], [sign, relation], holds),
];

/** What data is compared by: two lists or objects are never the same one here. */
const isSame = (a: Value, b: Value): boolean =>
  typeof a !== "object" && typeof b !== "object" ? a === b : a === null && b === null;

/** Kinds of which it is worth asking whether two values are the same. */
const SAME_KINDS: readonly (readonly [Taken, Taken])[] = [
  ["number", "number"],
  ["string", "string"],
  ["boolean", "boolean"],
  ["mixed", "any"],
];

const TESTS: readonly Operation[] = [
  ...compares("<", (a, b) => a < b),
  ...compares("<=", (a, b) => a <= b),
  ...compares(">", (a, b) => a > b),
  ...compares(">=", (a, b) => a >= b),
  ...SAME_KINDS.flatMap((kinds) => [
    infix([kinds, "boolean", 2], ["===", equality], isSame, true),
    infix([kinds, "boolean", 2], ["!==", equality], (a: Value, b: Value) => !isSame(a, b), true),
  ]),
  {
    takes: ["boolean"],
    gives: "boolean",
    cost: 1,
    binds: unary,
    operands: [unary],
    write: (a) => `!${a}`,
    apply: (a: boolean) => !a,
  },
  infix(
    [["boolean", "boolean"], "boolean", 2],
    ["&&", and],
    (a: boolean, b: boolean) => a && b,
    true,
  ),
  infix(
    [["boolean", "boolean"], "boolean", 2],
    ["||", or],
    (a: boolean, b: boolean) => a || b,
    true,
  ),
  call(
    [["any"], "boolean", 3],
    (a) => `Array.isArray(${a})`,
    (a: Value) => Array.isArray(a),
    [LOOSE],
  ),
  call(
    [["number"], "boolean", 3],
    (a) => `Number.isInteger(${a})`,
    (a: number) => Number.isInteger(a),
    [LOOSE],
  ),
  call(
    [["number"], "boolean", 3],
    (a) => `Number.isNaN(${a})`,
    (a: number) => Number.isNaN(a),
    [LOOSE],
  ),
];

const missing = (sign: "==" | "!="): Operation => ({
  takes: ["any"],
  gives: "boolean",
  cost: 2,
  binds: equality,
  operands: [equality],
  write: (a) => `${a} ${sign} null`,
  apply: (a: Value) => (a === null || a === undefined) === (sign === "=="),
});

const typed = (kind: "string" | "number" | "object", sign: "===" | "!=="): Operation => ({
  takes: ["any"],
  gives: "boolean",
  cost: 3,
  binds: equality,
  operands: [unary],
  write: (a) => `typeof ${a} ${sign} "${kind}"`,
  apply: (a: Value) => (typeof a === kind) === (sign === "==="),
});

const KINDS: readonly Operation[] = [
  missing("=="),
  missing("!="),
  ...(["string", "number", "object"] as const).flatMap((kind) => [
    typed(kind, "==="),
    typed(kind, "!=="),
  ]),
  {
    takes: ["any", "any"],
    gives: null,
    cost: 2,
    // Never beside `&&` or `||` without parentheses.
    binds: PRECEDENCE.conditional,
    operands: [PRECEDENCE.bitOr, PRECEDENCE.bitOr],
    write: (a, b) => `${a} ?? ${b}`,
    apply: (a: Value, b: Value) => a ?? b,
  },
];

const TEXTS: readonly Operation[] = [
  infix([["string", "string"], "string", 1], ["+", sum], (a: string, b: string) => a + b),
  call(
    [["string"], "number", 1],
    (a) => `${a}.length`,
    (a: string) => a.length,
  ),
  call(
    [["string"], "string", 2],
    (a) => `${a}.trim()`,
    (a: string) => a.trim(),
  ),
  call(
    [["string"], "string", 2],
    (a) => `${a}.toLowerCase()`,
    (a: string) => a.toLowerCase(),
  ),
  call(
    [["string"], "string", 2],
    (a) => `${a}.toUpperCase()`,
    (a: string) => a.toUpperCase(),
  ),
  call(
    [["string", "number"], null, 1],
    (a, b) => `${a}[${b}]`,
    (a: string, b: number) => a[b],
  ),
  call(
    [["string", "number"], "string", 2],
    (a, b) => `${a}.slice(${b})`,
    (a: string, b: number) => a.slice(b),
  ),
  call(
    [["string", "number", "number"], "string", 2],
    (a, b, c) => `${a}.slice(${b}, ${c})`,
    (a: string, b: number, c: number) => a.slice(b, c),
  ),
  call(
    [["string", "number"], "string", 3],
    (a, b) => `${a}.repeat(${b})`,
    (a: string, b: number) =>
      Number.isInteger(b) && b >= 0 && a.length * b <= 400 ? a.repeat(b) : NO_VALUE,
  ),
  call(
    [["string", "string"], "boolean", 2],
    (a, b) => `${a}.includes(${b})`,
    (a: string, b: string) => a.includes(b),
  ),
  call(
    [["string", "string"], "boolean", 2],
    (a, b) => `${a}.startsWith(${b})`,
    (a: string, b: string) => a.startsWith(b),
  ),
  call(
    [["string", "string"], "boolean", 2],
    (a, b) => `${a}.endsWith(${b})`,
    (a: string, b: string) => a.endsWith(b),
  ),
  call(
    [["string", "string"], "number", 2],
    (a, b) => `${a}.indexOf(${b})`,
    (a: string, b: string) => a.indexOf(b),
  ),
  call(
    [["string", "string"], "number", 3],
    (a, b) => `${a}.lastIndexOf(${b})`,
    (a: string, b: string) => a.lastIndexOf(b),
  ),
  call(
    [["string", "string"], "array", 2],
    (a, b) => `${a}.split(${b})`,
    (a: string, b: string) => a.split(b),
  ),
  global(
    [["string"], "array", 3],
    (a) => `Array.from(${a})`,
    (a: string) => Array.from(a),
  ),
  global(
    [["string"], "number", 3],
    (a) => `Number(${a})`,
    (a: string) => finite(Number(a)),
  ),
  global(
    [["number"], "string", 3],
    (a) => `String(${a})`,
    (a: number) => String(a),
  ),
];

const isNumbers = (list: List): list is readonly number[] =>
  list.every((one) => typeof one === "number");
const byDifference = (list: List): Value | typeof NO_VALUE =>
  isNumbers(list) ? list.toSorted((x, y) => x - y) : NO_VALUE;

const LISTS: readonly Operation[] = [
  call(
    [["array"], "number", 1],
    (a) => `${a}.length`,
    (a: List) => a.length,
  ),
  call(
    [["array", "number"], null, 1],
    (a, b) => `${a}[${b}]`,
    (a: List, b: number) => a[b],
  ),
  call(
    [["array"], null, 3],
    (a) => `${a}.at(-1)`,
    (a: List) => a.at(-1),
  ),
  call(
    [["array", "number"], "array", 2],
    (a, b) => `${a}.slice(${b})`,
    (a: List, b: number) => a.slice(b),
  ),
  call(
    [["array", "number", "number"], "array", 2],
    (a, b, c) => `${a}.slice(${b}, ${c})`,
    (a: List, b: number, c: number) => a.slice(b, c),
  ),
  call(
    [["array", "array"], "array", 2],
    (a, b) => `${a}.concat(${b})`,
    (a: List, b: List) => a.concat(b),
  ),
  global(
    [["array", "any"], "array", 3],
    (a, b) => `[...${a}, ${b}]`,
    (a: List, b: Value) => [...a, b],
  ),
  call(
    [["array", "any"], "boolean", 2],
    (a, b) => `${a}.includes(${b})`,
    (a: List, b: Value) => (typeof b === "object" && b !== null ? NO_VALUE : a.includes(b)),
  ),
  call(
    [["array", "any"], "number", 2],
    (a, b) => `${a}.indexOf(${b})`,
    (a: List, b: Value) => (typeof b === "object" && b !== null ? NO_VALUE : a.indexOf(b)),
  ),
  call(
    [["array", "string"], "string", 2],
    (a, b) => `${a}.join(${b})`,
    (a: List, b: string) =>
      a.every((one) => typeof one === "string" || typeof one === "number") ? a.join(b) : NO_VALUE,
  ),
  global(
    [["array"], "array", 4],
    (a) => `[...${a}].reverse()`,
    (a: List) => a.toReversed(),
  ),
  global([["array"], "array", 5], (a) => `[...${a}].sort((x, y) => x - y)`, byDifference),
  global(
    [["array"], "array", 4],
    (a) => `[...new Set(${a})]`,
    (a: List) =>
      a.some((one) => typeof one === "object" && one !== null) ? NO_VALUE : [...new Set(a)],
  ),
  call(
    [["array"], "array", 3],
    (a) => `${a}.flat()`,
    (a: List) => a.flat() as List,
  ),
  global(
    [["array"], "number", 3],
    (a) => `Math.max(...${a})`,
    (a: List) => (isNumbers(a) ? finite(Math.max(...a)) : NO_VALUE),
  ),
  global(
    [["array"], "number", 3],
    (a) => `Math.min(...${a})`,
    (a: List) => (isNumbers(a) ? finite(Math.min(...a)) : NO_VALUE),
  ),
  call(
    [["array"], "number", 5],
    (a) => `${a}.reduce((x, y) => x + y, 0)`,
    (a: List) => (isNumbers(a) ? finite(a.reduce((x, y) => x + y, 0)) : NO_VALUE),
  ),
];

const OBJECTS: readonly Operation[] = [
  global(
    [["object"], "array", 2],
    (a) => `Object.keys(${a})`,
    (a: Members) => Object.keys(a),
  ),
  global(
    [["object"], "array", 3],
    (a) => `Object.values(${a})`,
    (a: Members) => Object.values(a),
  ),
  call([["object", "string"], null, 1], (a, b) => `${a}[${b}]`, own),
  global(
    [["object", "string"], "boolean", 3],
    (a, b) => `Object.hasOwn(${a}, ${b})`,
    (a: Members, b: string) => Object.hasOwn(a, b),
  ),
];

function own(of: Members, key: string): Value | typeof NO_VALUE {
  if (Object.hasOwn(of, key)) return of[key];
  return key in Object.prototype ? NO_VALUE : undefined;
}

/** Reading a member of that name. */
export function memberOf(key: string): Operation {
  return call(
    [["object"], null, 1],
    (a) => `${a}.${key}`,
    (a: Members) => own(a, key),
  );
}

/** All operations whose names do not depend on the program. */
export const OPERATIONS: readonly Operation[] = [
  ...ARITHMETIC,
  ...TESTS,
  ...KINDS,
  ...TEXTS,
  ...LISTS,
  ...OBJECTS,
];
