import { ts } from "ts-morph";
import { isJsonObject, type Json } from "../../domain/json.ts";
import { isOrdinary } from "./ordinary.ts";

/** `asc`, `not-found`, `maxAge`, `application/json`, `.csv`: words that programs agree upon. */
const WORD = /^\.?[a-z][A-Za-z0-9]*(?:[-_+/][A-Za-z0-9]+)*$/;

/** `UTF_8`, `GET`, `Content-Type`: such words of other houses. */
const NAME = /^(?:[A-Z][A-Z0-9]*(?:[-_/][A-Z0-9]+)*|[A-Z][a-z]+(?:-[A-Z][a-z]+)+)$/;

/** A word, a small number, or a sign between the two. */
const TOKEN = "(?:[A-Z]?[a-z']+(?:-[a-z]+)*:?|\\d{1,3}|[<>=]=?)";

/** `Invalid age`, `1 minute ago`, `E_TYPE: a number, please`: what people read, in a few words. */
const PHRASE = new RegExp(`^[([<]?(?:[A-Z]\\w*: )?${TOKEN}(?:,? ${TOKEN}){0,9}[.!]?[)\\]>]?$`);

const LONGEST_WORD = 32;

/** Whether a text is a word that a program may agree upon with its callers. */
export function isWord(value: Json): boolean {
  return (
    typeof value === "string" &&
    value.length <= LONGEST_WORD &&
    (WORD.test(value) || NAME.test(value))
  );
}

/** Whether a text may be a word that both sides know, such as `Monday`, or as well a name of a thing. */
export function isProperName(value: Json): boolean {
  return typeof value === "string" && /^[A-Z][a-z]+$/.test(value);
}

/** Whether a value may be a result for its own sake: words, messages, nothing, and lists of such. */
export function isMessage(value: Json): boolean {
  if (typeof value === "string") return value === "" || isWord(value) || PHRASE.test(value);
  if (typeof value === "number") return Math.abs(value) <= 1;
  if (Array.isArray(value)) return value.every(isMessage);
  if (!isJsonObject(value)) return true;
  return Object.values(value).every(
    (part) => isMessage(part) || (typeof part === "number" && isOrdinary(part)),
  );
}

/** Whether a result is what is given where something is missing or went wrong. */
export function isDefault(node: ts.Node): boolean {
  for (let inner = node; inner.parent !== undefined; inner = inner.parent) {
    const { parent } = inner;
    if (ts.isFunctionLike(parent)) return false;
    if (ts.isBinaryExpression(parent) && parent.right === inner && isElse(parent)) return true;
    const isBranch = ts.isConditionalExpression(parent) && parent.condition !== inner;
    if (isBranch && isMissing(parent.condition) === (parent.whenTrue === inner)) return true;
    if (ts.isDefaultClause(parent) || ts.isCatchClause(parent)) return true;
    if (ts.isIfStatement(parent) && parent.thenStatement === inner) {
      return isMissing(parent.expression) === true;
    }
  }
  return false;
}

function isElse({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;
}

const SAME = /^===?$/;
const OTHER = /^!==?$/;

/** Whether a condition holds where something is missing; false: where it is there; null: neither. */
function isMissing(node: ts.Expression): boolean | null {
  if (ts.isParenthesizedExpression(node)) return isMissing(node.expression);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return isPresence(node.operand) ? true : null;
  }
  if (isPresence(node)) return false;
  if (ts.isCallExpression(node)) return NAN.test(node.expression.getText()) ? true : null;
  return ts.isBinaryExpression(node) ? isMissingBy(node) : null;
}

const NAN = /^(?:Number\.)?isNaN$/;

function isMissingBy({ left, right, operatorToken }: ts.BinaryExpression): boolean | null {
  const operator = operatorToken.getText();
  if (operator === "||") return isMissing(left) === true && isMissing(right) === true ? true : null;
  const isKind = ts.isTypeOfExpression(left) || ts.isTypeOfExpression(right);
  if (isKind) return OTHER.test(operator) ? true : null;
  if (!isNothing(left) && !isNothing(right)) return null;
  if (SAME.test(operator)) return true;
  return OTHER.test(operator) ? false : null;
}

/** A value that stands for whether it is there. */
function isPresence(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isPresence(node.expression);
  if (ts.isCallExpression(node)) {
    return /(?:^|\.)(?:isArray|isFinite|isInteger|isSafeInteger|has|hasOwn|trim|canParse)$/.test(
      node.expression.getText(),
    );
  }
  return ts.isIdentifier(node) || ts.isPropertyAccessExpression(node);
}

/** `undefined`, `null`, `""`, `0` */
function isNothing(node: ts.Expression): boolean {
  return /^(?:undefined|null|""|''|0|NaN)$/.test(node.getText());
}
