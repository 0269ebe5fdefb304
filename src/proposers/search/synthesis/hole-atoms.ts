import { ts } from "ts-morph";
import { freeNames } from "../atoms.ts";
import { functionAround, isValue } from "../places.ts";
import { PRECEDENCE, precedenceOf } from "../precedence.ts";
import type { Scene } from "../scene.ts";

/** An expression that is noted at a hole. */
export type Atom = {
  readonly text: string;
  /** Binding strength of its outermost operator. */
  readonly binds: number;
  readonly isName: boolean;
};

/** Longest text of an expression that is taken over from elsewhere. */
const LONGEST = 48;

/** Names that are noted, the nearest first. */
const MOST_NAMES = 12;

/** Built-ins that change nothing and ask for nothing, whoever they belong to. */
const PURE = new Set(
  [
    "abs at ceil charAt charCodeAt codePointAt concat endsWith flat floor includes indexOf",
    "isArray isFinite isInteger isNaN join keys lastIndexOf max min padEnd padStart parseFloat",
    "parseInt repeat replace replaceAll round slice sqrt startsWith String Number Boolean",
    "substring substr split test toFixed toLowerCase toString toUpperCase trim trimEnd trimStart",
    "trunc values entries has get hasOwn toSorted toReversed getTime",
  ]
    .join(" ")
    .split(" "),
);

/**
 * What is noted at a place, as texts: the names that may be read there, the nearest first, then
 * expressions of the same function that may be evaluated there without any effect, the place's own
 * parts first. That the ingredients of a fix stand in the file already holds for a third to a half
 * of all fixes (Martinez et al., "Do the fix ingredients already exist?", ICSE 2014).
 */
export function atomsFor(node: ts.Node, scene: Scene): readonly Atom[] {
  const visible = scene.names(node);
  const isData = (name: string): boolean =>
    !["function", "regexp"].includes(scene.kindOfName(name) ?? "") && name !== "ctx";
  const names = visible
    .filter(isData)
    .slice(0, MOST_NAMES)
    .map((text): Atom => ({ text, binds: PRECEDENCE.member, isName: true }));
  const known = new Set(visible);
  const around = functionAround(node);
  const parts = [...partsOf(node), ...(around ? partsOf(around) : [])]
    .filter((part) => isTakeable(part) && freeNames(part).every((name) => known.has(name)))
    .map((part): Atom => {
      return { text: part.getText(scene.file), binds: precedenceOf(part), isName: false };
    });
  const all = [...names, ...parts];
  return [...new Map(all.toReversed().map((atom) => [atom.text, atom])).values()].toReversed();
}

/** Values below a node that are no name and no literal, the outer ones first. */
function partsOf(node: ts.Node): ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (part: ts.Node): void => {
    const isPlain = ts.isIdentifier(part) || ts.isLiteralExpression(part);
    if (part !== node && isValue(part) && !isPlain && !ts.isParenthesizedExpression(part)) {
      found.push(part);
    }
    ts.forEachChild(part, visit);
  };
  visit(node);
  return found;
}

function isTakeable(node: ts.Expression): boolean {
  const text = node.getText();
  return text.length <= LONGEST && !/\s{2}|\n/.test(text) && isPure(node);
}

/** Whether evaluating an expression has no effect and needs nothing but the names in it. */
function isPure(node: ts.Node): boolean {
  if (ts.isIdentifier(node) || ts.isStringLiteral(node) || ts.isNumericLiteral(node)) return true;
  if (ts.isPropertyAccessExpression(node)) return isPure(node.expression);
  if (ts.isElementAccessExpression(node)) {
    return isPure(node.expression) && isPure(node.argumentExpression);
  }
  if (ts.isParenthesizedExpression(node) || ts.isTypeOfExpression(node)) {
    return isPure(node.expression);
  }
  if (ts.isPrefixUnaryExpression(node)) {
    const { PlusPlusToken, MinusMinusToken } = ts.SyntaxKind;
    return ![PlusPlusToken, MinusMinusToken].includes(node.operator) && isPure(node.operand);
  }
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    const isAssignment =
      kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
    return !isAssignment && isPure(node.left) && isPure(node.right);
  }
  return ts.isCallExpression(node) && isPureCall(node);
}

function isPureCall({ expression, arguments: given }: ts.CallExpression): boolean {
  if (!given.every(isPure)) return false;
  if (ts.isIdentifier(expression)) return PURE.has(expression.text);
  return (
    ts.isPropertyAccessExpression(expression) &&
    PURE.has(expression.name.text) &&
    isPure(expression.expression)
  );
}
