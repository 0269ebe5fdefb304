import { ts } from "ts-morph";
import type { Json } from "../../domain/json.ts";
import { valueOf } from "./literal-values.ts";
import { isWord } from "./meaning.ts";
import { isOrdinary } from "./ordinary.ts";

/** Whether a node compares by order: thresholds are honest constants. */
export function isRange(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && /^[<>]/.test(node.operatorToken.getText());
}

/**
 * Whether a result is that of a word or of a range: `case "mile": return 1609.344`, or
 * `return total >= 120 ? 0 : 12.5`.
 */
export function isTier(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined || ts.isFunctionLike(parent)) return false;
  if (ts.isCaseClause(parent)) return isWordly(parent.expression);
  if (ts.isIfStatement(parent)) return setsTier(parent.expression);
  if (ts.isConditionalExpression(parent)) return setsTier(parent.condition);
  return comesAfterTier(node) || isTier(parent);
}

/** The rest behind the last range: `if (x < 2) return 4.99;` and then `return 16.49;` */
function comesAfterTier(node: ts.Node): boolean {
  if (!ts.isReturnStatement(node) || !ts.isBlock(node.parent)) return false;
  const { statements } = node.parent;
  const before = statements[statements.indexOf(node) - 1];
  return before !== undefined && ts.isIfStatement(before) && setsTier(before.expression);
}

function setsTier(node: ts.Expression): boolean {
  if (isRange(node)) return true;
  return ts.isBinaryExpression(node) && (isWordly(node.left) || isWordly(node.right));
}

function isWordly(node: ts.Expression): boolean {
  return ts.isStringLiteralLike(node) && isWord(node.text);
}

/** Whether a result is that of one number that no program knows by itself: a length, a checksum. */
export function isOfOneNumber(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined || ts.isFunctionLike(parent)) return false;
  const guard = ts.isIfStatement(parent)
    ? parent.expression
    : ts.isConditionalExpression(parent)
      ? parent.condition
      : null;
  if (guard !== null && guard !== node && equalsNumber(guard)) return true;
  return isOfOneNumber(parent);
}

function equalsNumber(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node) && /^[=!]==?$/.test(node.operatorToken.getText())) {
    return [node.left, node.right].some((side) => {
      const value = valueOf(side);
      return typeof value === "number" && !isOrdinary(value);
    });
  }
  return ts.forEachChild(node, (child) => equalsNumber(child) || undefined) === true;
}

/** Whether a `switch` knows more values than are seen: then it is no list of what is seen. */
export function isOneOfMany(node: ts.Node, isSeen: (value: Json) => boolean): boolean {
  if (!ts.isCaseClause(node.parent)) return false;
  return node.parent.parent.clauses.some((clause) => {
    const value = ts.isCaseClause(clause) ? valueOf(clause.expression) : undefined;
    return value !== undefined && !isSeen(value);
  });
}

/** The results, of those that are not computed, of the branch that a comparison opens. */
export function resultsUnder(node: ts.Node): readonly Json[] {
  for (let inner = node; inner.parent !== undefined; inner = inner.parent) {
    const { parent } = inner;
    if (ts.isFunctionLike(parent)) return [];
    if (ts.isConditionalExpression(parent) && parent.condition === inner) {
      return [parent.whenTrue, parent.whenFalse].flatMap(constantOf);
    }
    if (ts.isIfStatement(parent) && parent.expression === inner) {
      return [parent.thenStatement, parent.elseStatement].flatMap(constantsIn);
    }
    if (ts.isCaseClause(parent)) return parent.statements.flatMap(constantsIn);
  }
  return [];
}

function constantsIn(node: ts.Node | undefined): readonly Json[] {
  if (node === undefined || ts.isFunctionLike(node)) return [];
  if (ts.isReturnStatement(node)) return constantOf(node.expression);
  const found: Json[] = [];
  ts.forEachChild(node, (child) => void found.push(...constantsIn(child)));
  return found;
}

function constantOf(node: ts.Expression | undefined): readonly Json[] {
  const value = node === undefined ? undefined : valueOf(node);
  return value === undefined ? [] : [value];
}
