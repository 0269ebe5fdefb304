import { PRECEDENCE } from "../precedence.ts";
import { enclosed, infix, type Operation, type Taken } from "./operation.ts";
import { NO_VALUE, type Value } from "./values.ts";

const compares = (
  sign: string,
  cost: number,
  holds: (a: number | string, b: number | string) => boolean,
): readonly Operation[] => [
  infix([["number", "number"], "boolean", cost], [sign, PRECEDENCE.relation], holds),
  infix([["string", "string"], "boolean", cost + 2], [sign, PRECEDENCE.relation], holds),
];

/** Whether two values are the same; of two lists or objects nobody noted which they are. */
function isSame(a: Value, b: Value): boolean | typeof NO_VALUE {
  const areHeld = typeof a === "object" && typeof b === "object" && a !== null && b !== null;
  return areHeld ? NO_VALUE : a === b;
}

function isOther(a: Value, b: Value): boolean | typeof NO_VALUE {
  const same = isSame(a, b);
  return same === NO_VALUE ? same : !same;
}

/** Kinds of which it is worth asking whether two values are the same. */
const SAME_KINDS: readonly (readonly [Taken, Taken])[] = [
  ["number", "number"],
  ["string", "string"],
  ["boolean", "boolean"],
  ["mixed", "any"],
];

/** Comparisons, and what joins conditions. */
export const TESTS: readonly Operation[] = [
  ...compares("<", 1, (a, b) => a < b),
  ...compares("<=", 2, (a, b) => a <= b),
  ...compares(">", 1, (a, b) => a > b),
  ...compares(">=", 2, (a, b) => a >= b),
  ...SAME_KINDS.flatMap((kinds) => [
    infix([kinds, "boolean", 1], ["===", PRECEDENCE.equality], isSame, true),
    infix([kinds, "boolean", 2], ["!==", PRECEDENCE.equality], isOther, true),
  ]),
  {
    takes: ["boolean"],
    gives: "boolean",
    cost: 2,
    binds: PRECEDENCE.unary,
    operands: [PRECEDENCE.unary],
    write: (a) => `!${a}`,
    apply: (a: boolean) => !a,
  },
  infix(
    [["boolean", "boolean"], "boolean", 2],
    ["&&", PRECEDENCE.and],
    (a: boolean, b: boolean) => a && b,
    true,
  ),
  infix(
    [["boolean", "boolean"], "boolean", 2],
    ["||", PRECEDENCE.or],
    (a: boolean, b: boolean) => a || b,
    true,
  ),
  enclosed(
    [["any"], "boolean", 3],
    (a) => `Array.isArray(${a})`,
    (a: Value) => Array.isArray(a),
  ),
  enclosed(
    [["number"], "boolean", 3],
    (a) => `Number.isInteger(${a})`,
    (a: number) => Number.isInteger(a),
  ),
  enclosed(
    [["number"], "boolean", 3],
    (a) => `Number.isNaN(${a})`,
    (a: number) => Number.isNaN(a),
  ),
];

const missing = (sign: "==" | "!="): Operation => ({
  takes: ["any"],
  gives: "boolean",
  cost: 2,
  binds: PRECEDENCE.equality,
  operands: [PRECEDENCE.equality],
  write: (a) => `${a} ${sign} null`,
  apply: (a: Value) => (a === null || a === undefined) === (sign === "=="),
});

const typed = (kind: "string" | "number" | "object", sign: "===" | "!=="): Operation => ({
  takes: ["any"],
  gives: "boolean",
  cost: 3,
  binds: PRECEDENCE.equality,
  operands: [PRECEDENCE.unary],
  write: (a) => `typeof ${a} ${sign} "${kind}"`,
  apply: (a: Value) => (typeof a === kind) === (sign === "==="),
});

/** Questions of kind, and defaults for what is missing. */
export const KINDS: readonly Operation[] = [
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
