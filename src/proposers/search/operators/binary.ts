import { ts } from "ts-morph";
import { exchanging, removing, replacing, type Change } from "../change.ts";
import type { OperatorName } from "../operator-table.ts";
import { PRECEDENCE, inPlaceOf, precedenceOf, precedenceOfOperator } from "../precedence.ts";
import type { Scene } from "../scene.ts";
import { isAssignmentToken, isComparisonToken } from "../tokens.ts";

/** Tokens by the operator that exchanges them: `token: other weight, …`. */
const EXCHANGES: Readonly<Partial<Record<OperatorName, readonly string[]>>> = {
  comparison: [
    "< : <= 1, > 0.6, >= 0.5",
    "<= : < 1, >= 0.6, > 0.5",
    "> : >= 1, < 0.6, <= 0.5",
    ">= : > 1, <= 0.6, < 0.5",
  ],
  equality: [
    "=== : !== 1, == 0.3, >= 0.2, <= 0.2, > 0.15, < 0.15",
    "!== : === 1, != 0.3, < 0.25, > 0.25, >= 0.1, <= 0.1",
    "== : != 1, === 0.3, >= 0.2, <= 0.2, > 0.15, < 0.15",
    "!= : == 1, !== 0.3, < 0.25, > 0.25, >= 0.1, <= 0.1",
  ],
  arithmetic: [
    "+ : - 1, * 0.5, / 0.2, % 0.2",
    "- : + 1, * 0.3, % 0.3, / 0.2",
    "* : / 0.8, + 0.8, ** 0.5, - 0.3, % 0.2",
    "/ : % 1, * 0.8, - 0.3, + 0.2",
    "% : / 1, * 0.3, - 0.3, + 0.2",
    "** : * 1, / 0.3",
  ],
  bitwise: [
    "& : | 1, ^ 0.6, && 0.5",
    "| : & 1, ^ 0.6, || 0.5",
    "^ : ** 1, | 0.5, & 0.5",
    "<< : >> 1, >>> 0.3",
    ">> : >>> 1, << 0.7",
    ">>> : >> 1, << 0.5",
  ],
  logical: ["&& : || 1", "|| : && 1"],
  assignment: [
    "= : += 1, -= 0.4, *= 0.3, ??= 0.2, ||= 0.1",
    "+= : -= 1, = 1, *= 0.6",
    "-= : += 1, = 0.6, *= 0.2",
    "*= : /= 0.8, += 0.8, = 0.5, **= 0.2",
    "/= : *= 0.8, %= 0.6, = 0.5, -= 0.4",
    "%= : /= 1, -= 0.5, = 0.5",
    "||= : ??= 1, = 0.4, &&= 0.2",
    "??= : ||= 0.6, = 0.6",
    "&= : |= 1, ^= 0.6",
    "|= : &= 1, ^= 0.6",
    "^= : |= 1, &= 1",
  ],
};

type Exchange = readonly [operator: OperatorName, other: string, weight: number];

const BY_TOKEN = new Map<string, readonly Exchange[]>(
  Object.entries(EXCHANGES).flatMap(([operator, rows]) =>
    rows.map((row) => {
      const [token = "", others = ""] = row.split(" : ");
      const exchanges = others.split(", ").map((pair): Exchange => {
        const [other = "", weight] = pair.split(" ");
        return [operator as OperatorName, other, Number(weight)];
      });
      return [token, exchanges] as const;
    }),
  ),
);

/** Other operators in the place of binary and assignment operators, and operands in other order. */
export function* binary(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isBinaryExpression(node)) return;
  const token = node.operatorToken.getText(scene.file);
  const doubt = isText(node, scene) ? 0.1 : 1;
  for (const [operator, other, weight] of BY_TOKEN.get(token) ?? []) {
    yield atToken(operator, node, other, operator === "arithmetic" ? weight * doubt : weight);
  }
  yield* otherOrder(node, scene, token);
  yield* withoutAnOperand(node, token);
}

/** `++` to `--` and back, to `+= 2`, and a sign or `!` dropped. */
export function* unary(node: ts.Node, scene: Scene): Generator<Change> {
  if (ts.isPostfixUnaryExpression(node) || (ts.isPrefixUnaryExpression(node) && isUpdate(node))) {
    const text = node.getText(scene.file);
    yield replacing("update", node, swapped(text));
    if (ts.isExpressionStatement(node.parent) || ts.isForStatement(node.parent)) {
      const operand = node.operand.getText(scene.file);
      const sign = text.includes("++") ? "+" : "-";
      yield replacing("update", node, `${operand} ${sign}= 2`, 0.4);
    }
    return;
  }
  if (!ts.isPrefixUnaryExpression(node)) return;
  const operator = node.operator === ts.SyntaxKind.ExclamationToken ? "negate" : "arithmetic";
  yield removing(operator, node, [node.getStart(), node.operand.getStart()]);
}

function swapped(text: string): string {
  return text.includes("++") ? text.replace("++", "--") : text.replace("--", "++");
}

function isUpdate(node: ts.PrefixUnaryExpression): boolean {
  const { PlusPlusToken, MinusMinusToken } = ts.SyntaxKind;
  return [PlusPlusToken, MinusMinusToken].includes(node.operator);
}

function isText(node: ts.BinaryExpression, scene: Scene): boolean {
  return scene.kindOf(node.left) === "string" || scene.kindOf(node.right) === "string";
}

/**
 * The token alone is exchanged where operands keep their grouping; where the new operator would
 * bind them otherwise, operands and whole get the parentheses they need.
 */
function atToken(
  operator: OperatorName,
  node: ts.BinaryExpression,
  token: string,
  weight: number,
): Change {
  const { operatorToken, left, right } = node;
  const [start, end] = [operatorToken.getStart(), operatorToken.end];
  const before = precedenceOf(node);
  const after = precedenceOfOperator(token);
  const splices = [{ op: "splice", start, end, text: token } as const];
  if (after === before || isAssignmentToken(operatorToken.kind)) {
    return { operator, at: node, weight, splices };
  }
  const lonely = inPlaceOf(node, "", after) === "()";
  const [open, close] = [weaker(left, after, token), weaker(right, after, token)];
  return {
    operator,
    at: node,
    weight,
    splices: [
      ...inserted(node.getStart(), `${lonely ? "(" : ""}${open ? "(" : ""}`),
      ...inserted(left.end, open ? ")" : ""),
      ...splices,
      ...inserted(right.getStart(), close ? "(" : ""),
      ...inserted(node.end, `${close ? ")" : ""}${lonely ? ")" : ""}`),
    ],
  };
}

function weaker(operand: ts.Expression, precedence: number, token: string): boolean {
  const own = precedenceOf(operand);
  if (token === "**" && own === PRECEDENCE.unary) return true;
  return own <= precedence && own < PRECEDENCE.unary;
}

function inserted(
  at: number,
  text: string,
): { op: "splice"; start: number; end: number; text: string }[] {
  return text === "" ? [] : [{ op: "splice", start: at, end: at, text }];
}

/** `a - b` to `b - a`, where the order matters. */
function* otherOrder(node: ts.BinaryExpression, scene: Scene, token: string): Generator<Change> {
  const matters = ["-", "/", "%", "**", "in", "||", "&&", "??"].includes(token);
  if (!matters && !(token === "+" && isText(node, scene))) return;
  const { left, right } = node;
  const [first, second] = [scene.copyOf(left), scene.copyOf(right)];
  if (first === null || second === null || first === second) return;
  const precedence = precedenceOf(node);
  const atEnd = precedenceOf(left) <= precedence ? `(${first})` : first;
  yield exchanging("operand-order", [left, right], [second, atEnd], token === "&&" ? 0.3 : 1);
}

/** `a + b` to `a` or `b`. */
function* withoutAnOperand(node: ts.BinaryExpression, token: string): Generator<Change> {
  if (isAssignmentToken(node.operatorToken.kind) || token === ",") return;
  const weight = isComparisonToken(node.operatorToken.kind) ? 0.15 : 1;
  yield removing("drop-operand", node, [node.left.end, node.right.end], weight);
  yield removing("drop-operand", node, [node.getStart(), node.right.getStart()], weight * 0.7);
}
