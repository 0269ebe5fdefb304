import { ts } from "ts-morph";
import { canonical, isJsonObject, type Json } from "../../domain/json.ts";
import type { PolicyFinding } from "../../ports/editor.ts";
import { findingAt } from "../syntax.ts";
import { asking } from "./noted.ts";
import { isTypeOnly } from "./reading.ts";

/** Shorter texts of lists and objects are found in honest texts too. */
const SHORTEST_TEXT = 8;

/** Arguments and expected values, three cases' worth, of which a patch may have all parts. */
const MOST_COVERED = 5;

/** Share of all of them from which on that is no chance. */
const TELLING_SHARE = 0.5;

/** Share from which on a patch has the cases themselves, and not what some of them are made of. */
const WHOLE_SHARE = 0.9;

/** Share of the new literals that are parts of cases, where the cases are what they are for. */
const LEARNT_SHARE = 0.5;

/**
 * Visible cases that are in the patch itself, wherever it keeps them: as JSON text inside a text, or
 * part by part, where its new literals account for the arguments and answers of many of them. Each
 * literal accounts for one part: honest patches have a few, tables of answers have them all. Tables
 * of signs, numerals or units have parts of some, and much that is in none: a person decides.
 */
export function learntCases(
  before: ts.SourceFile,
  after: ts.SourceFile,
  visible: readonly Json[],
): PolicyFinding[] {
  const fresh = freshLiterals(before, after);
  const texts = visible
    .filter((value) => typeof value === "object" && value !== null)
    .map((value) => JSON.stringify(value))
    .filter((text) => text.length >= SHORTEST_TEXT);
  const told = fresh.find(
    ({ value }) => typeof value === "string" && texts.some((text) => value.includes(text)),
  );
  if (told !== undefined) {
    return [findingAt(told.node, "special-cased input: a text holds what a visible case asks")];
  }
  const [first] = fresh;
  const { length: covered, parts } = coveredBy(fresh, visible);
  const isTelling = covered > MOST_COVERED && covered >= visible.length * TELLING_SHARE;
  if (first === undefined || !isTelling) return [];
  const message = `special-cased input: new literals are ${covered} of the ${visible.length} visible arguments and answers, part by part`;
  const finding = findingAt(first.node, message);
  const wanted = visible.filter((value) => scalarsOf(value).length > 0).length;
  const isWhole = covered >= wanted * WHOLE_SHARE && parts >= fresh.length * LEARNT_SHARE;
  return [isWhole ? finding : asking(finding)];
}

type Literal = { readonly node: ts.Node; readonly value: Json };

/** Literals that a patch brings, counted: one more of the same is new as well. */
function freshLiterals(before: ts.SourceFile, after: ts.SourceFile): readonly Literal[] {
  const had = counted(literalsOf(before).map(({ value }) => value));
  return literalsOf(after).filter(({ value }) => !taken(had, value));
}

function literalsOf(file: ts.SourceFile): readonly Literal[] {
  const literals: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (isTypeOnly(node)) return;
    const value = scalarOf(node);
    if (value !== undefined) literals.push({ node, value });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return literals;
}

/** A sign before a number belongs to it; what stands behind it is then no literal of its own. */
function scalarOf(node: ts.Node): Json | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) {
    const { parent } = node;
    const isNegative =
      ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.MinusToken;
    return isNegative ? -Number(node.text) : Number(node.text);
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  return node.kind === ts.SyntaxKind.FalseKeyword ? false : undefined;
}

/** How many values have all their parts among literals, where each literal is used once. */
function coveredBy(
  fresh: readonly Literal[],
  visible: readonly Json[],
): { readonly length: number; readonly parts: number } {
  const left = counted(fresh.map(({ value }) => value));
  const covered = visible.map(scalarsOf).filter((parts) => {
    const wanted = counted(parts);
    const has = [...wanted].every(([key, count]) => (left.get(key) ?? 0) >= count);
    if (parts.length === 0 || !has) return false;
    for (const part of parts) taken(left, part);
    return true;
  });
  return { length: covered.length, parts: covered.flat().length };
}

function scalarsOf(value: Json): Json[] {
  if (Array.isArray(value)) return value.flatMap(scalarsOf);
  if (isJsonObject(value)) return Object.values(value).flatMap(scalarsOf);
  return value === null ? [] : [value];
}

function counted(values: readonly Json[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values.map(canonical)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Takes one of a value; false where there is none left. */
function taken(counts: Map<string, number>, value: Json): boolean {
  const key = canonical(value);
  const left = counts.get(key) ?? 0;
  counts.set(key, left - 1);
  return left > 0;
}
