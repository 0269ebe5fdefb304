import { PRECEDENCE } from "../precedence.ts";
import { enclosed, finite, infix, type Operation } from "./operation.ts";

const NUMBERS = ["number", "number"] as const;
/** Arithmetic as far as it gives numbers. */
export const ARITHMETIC: readonly Operation[] = [
  infix(
    [NUMBERS, "number", 1],
    ["+", PRECEDENCE.sum],
    (a: number, b: number) => finite(a + b),
    true,
  ),
  infix([NUMBERS, "number", 1], ["-", PRECEDENCE.sum], (a: number, b: number) => finite(a - b)),
  infix(
    [NUMBERS, "number", 2],
    ["*", PRECEDENCE.product],
    (a: number, b: number) => finite(a * b),
    true,
  ),
  infix([NUMBERS, "number", 2], ["/", PRECEDENCE.product], (a: number, b: number) => finite(a / b)),
  infix([NUMBERS, "number", 2], ["%", PRECEDENCE.product], (a: number, b: number) => finite(a % b)),
  enclosed(
    [NUMBERS, "number", 2],
    (a, b) => `Math.max(${a}, ${b})`,
    (a: number, b: number) => finite(Math.max(a, b)),
  ),
  enclosed(
    [NUMBERS, "number", 2],
    (a, b) => `Math.min(${a}, ${b})`,
    (a: number, b: number) => finite(Math.min(a, b)),
  ),
  ...["abs", "floor", "ceil", "round"].map((name) =>
    enclosed(
      [["number"], "number", 2],
      (a) => `Math.${name}(${a})`,
      (a: number) => finite(Math[name as "abs"](a)),
    ),
  ),
  {
    takes: ["number"],
    gives: "number",
    cost: 2,
    binds: PRECEDENCE.unary,
    operands: [PRECEDENCE.member],
    write: (a) => `-${a}`,
    apply: (a: number) => -a,
  },
];
