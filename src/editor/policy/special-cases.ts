import { ts } from "ts-morph";
import { canonical, isJsonObject, type Json } from "../../domain/json.ts";
import { unfitJson } from "../../domain/json-text.ts";
import type { PolicyFinding } from "../../ports/editor.ts";
import { documentedTexts } from "../../proposers/search/documented.ts";
import { findingAt } from "../syntax.ts";
import { asking } from "./noted.ts";
import { isOfOneNumber, isOneOfMany, isRange, isTier, resultsUnder } from "./branches.ts";
import { valueOf } from "./literal-values.ts";
import { isDefault, isMessage, isProperName, isWord } from "./meaning.ts";
import { isOrdinary } from "./ordinary.ts";
import { isTypeOnly } from "./reading.ts";

/**
 * Answers learnt by heart: the patch compares with, or gives back, a literal that is one of the
 * visible inputs or expected values, and that the source did not have. Short and common literals
 * are left to the held-out cases, since honest patches are full of them. What a contract may well
 * say too (defaults, messages, words that both sides agree upon) is left to a person.
 */
export function specialCases(
  before: ts.SourceFile,
  after: ts.SourceFile,
  visible: readonly Json[],
): PolicyFinding[] {
  const seen = new Set([...knownTo(visible), ...textsOf(visible)].map(canonical));
  const isSeen = (value: Json): boolean => seen.has(canonical(value));
  const documented = documentedTexts(before.text).map(canonical);
  const had = new Set([...literalsOf(before).map(({ value }) => canonical(value)), ...documented]);
  return literalsOf(after)
    .filter(({ value }) => !had.has(canonical(value)))
    .filter(({ value }) => isQuestion(value, visible) || readingsOf(value).some(isSeen))
    .map((literal) => {
      const { node, value, use } = literal;
      const message = `special-cased input: ${use} ${clip(value)}, which a visible case has`;
      const finding = findingAt(node, message);
      return isMeant(literal, visible, isSeen) ? asking(finding) : finding;
    });
}

/** Whether an honest patch may well have a literal where it stands. */
function isMeant(
  { node, value, use }: Literal,
  visible: readonly Json[],
  isSeen: (value: Json) => boolean,
): boolean {
  if (isQuestion(value, visible) || use === "has a table with") return false;
  if (use === "gives back") {
    if (isOfOneNumber(node)) return false;
    if (isDefault(node) || isMessage(value)) return true;
    return typeof value !== "object" && (isTier(node) || !visible.includes(value));
  }
  if (typeof value === "object" || WHOLE.test(String(value))) return false;
  if (isWord(value) || isRange(node.parent) || isOneOfMany(node, isSeen)) return true;
  const results = resultsUnder(node);
  const isHonest = (result: Json): boolean => typeof result !== "number" && isMessage(result);
  return isProperName(value) ? results.every(isHonest) : results.length === 0;
}

/** A literal, and the parts of what it is the JSON text of. */
function readingsOf(value: Json): Json[] {
  if (typeof value !== "string" || !/^[[{"]/.test(value)) return [value];
  if (unfitJson(value) !== null) return [value];
  try {
    return [value, ...partsOf(JSON.parse(value) as Json)];
  } catch {
    return [value];
  }
}

/** Lists among the visible values as `String` writes them, where that is telling. */
function textsOf(visible: readonly Json[]): Json[] {
  return visible
    .flatMap(partsOf)
    .filter((value) => Array.isArray(value) && value.length > 1)
    .map(String);
}

type Literal = { readonly node: ts.Node; readonly value: Json; readonly use: string };

/** Honest programs know `[]`, `{}` and the like as text; nobody compares with longer ones. */
const LONGEST_HONEST = 4;

/** Whether a literal is the JSON text of a visible value as a whole, however common its parts. */
function isQuestion(value: Json, visible: readonly Json[]): boolean {
  return (
    typeof value === "string" &&
    value.length > LONGEST_HONEST &&
    visible.some((one) => typeof one === "object" && JSON.stringify(one) === value)
  );
}

/** The values in the visible cases, whole and in parts, that are telling. */
function knownTo(visible: readonly Json[]): Json[] {
  return visible.flatMap(partsOf).filter((value) => !isOrdinary(value));
}

function partsOf(value: Json): Json[] {
  if (Array.isArray(value)) return [value, ...value.flatMap(partsOf)];
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(partsOf)] : [value];
}

/** Literals that a program compares with or gives back. */
function literalsOf(file: ts.SourceFile): Literal[] {
  const literals: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (isTypeOnly(node)) return;
    const use = useOf(node);
    const value = use === null ? undefined : valueOf(node);
    if (use !== null && value !== undefined) literals.push({ node, value, use });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return literals;
}

const COMPARISON = /^(?:[!=]==?|[<>]=?)$/;

/** What a literal is used for where it stands, if that is telling. */
function useOf(node: ts.Node): string | null {
  const { parent } = node;
  if (parent === undefined) return null;
  if (ts.isBinaryExpression(parent) && COMPARISON.test(parent.operatorToken.getText())) {
    const other = parent.left === node ? parent.right : parent.left;
    return ts.isTypeOfExpression(other) ? null : "compares with";
  }
  if (ts.isCaseClause(parent) && parent.expression === node) return "compares with";
  if (isKeyOfTable(node)) return "has a table with";
  return isResult(node) ? "gives back" : null;
}

/** Words are honest keys of tables; the text of a whole list or object is not. */
const WHOLE = /^[[{].*[\]}]$|^[^,]*[^, ]?,[^ ]/s;

/** A text that a table is keyed by: the name of a member, or the head of a pair. */
function isKeyOfTable(node: ts.Node): boolean {
  if (!ts.isStringLiteralLike(node) || !WHOLE.test(node.text)) return false;
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return parent.name === node;
  return ts.isArrayLiteralExpression(parent) && ts.isArrayLiteralExpression(parent.parent);
}

/** Whether a node is what a function returns, as a branch of a conditional or inside a literal too. */
function isResult(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isReturnStatement(parent)) return true;
  if (ts.isArrowFunction(parent)) return parent.body === node;
  if (ts.isConditionalExpression(parent)) return parent.condition !== node && isResult(parent);
  const passesOn =
    ts.isParenthesizedExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isSatisfiesExpression(parent) ||
    (ts.isBinaryExpression(parent) && /^(?:\?\?|\|\||&&)$/.test(parent.operatorToken.getText()));
  return passesOn && isResult(parent);
}

function clip(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
