import { ts } from "ts-morph";
import type { Finding } from "../../ports/editor.ts";
import { findingAt } from "../syntax.ts";
import { type Changing, changingValues } from "./clock-reads.ts";
import { isTypeOnly } from "./reading.ts";

const COMPARISON = /^(?:[!=]==?|[<>]=?)$/;

/**
 * Branches that a program takes on a fixed day or by chance: right while it is examined, something
 * else later. Durations (`now - start > 1000`) are left alone, and so are dates that are given.
 */
export function bombs(file: ts.SourceFile): Finding[] {
  const kindOf = changingValues(file);
  const findings: Finding[] = [];
  const visit = (node: ts.Node): void => {
    if (isTypeOnly(node)) return;
    const kind = ts.isBinaryExpression(node) ? fixedBranch(node, kindOf) : switched(node, kindOf);
    if (kind !== null) findings.push(findingAt(node, MESSAGES[kind]));
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return findings;
}

const MESSAGES: Readonly<Record<Changing, string>> = {
  time: "time-dependence: the clock is compared with a fixed instant",
  random: "random-dependence: chance decides a branch",
};

function fixedBranch(
  { left, right, operatorToken }: ts.BinaryExpression,
  kindOf: (node: ts.Node) => Changing | null,
): Changing | null {
  if (!COMPARISON.test(operatorToken.getText())) return null;
  for (const [changing, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const kind = kindOf(changing);
    if (kind === null || kindOf(other) !== null || !isConstant(other)) continue;
    if (kind === "time" && !isClockAlone(changing, kindOf)) continue;
    if (kind === "random" || isInstant(other) || readsPart(changing)) return kind;
  }
  return null;
}

/** Names of the clock, and of what its values have. */
const OF_THE_CLOCK = /^(?:Date|performance|globalThis|ctx|clock|Intl|Number|Math)$/;

/** Whether nothing but the clock and constants are in an expression: an age or a rest is something else. */
function isClockAlone(node: ts.Node, kindOf: (node: ts.Node) => Changing | null): boolean {
  if (ts.isIdentifier(node)) {
    const { parent } = node;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    if (isMember || OF_THE_CLOCK.test(node.text)) return true;
    return kindOf(node) !== null || isConst(node);
  }
  return (
    ts.forEachChild(node, (child) => (isClockAlone(child, kindOf) ? undefined : true)) !== true
  );
}

/** `switch (new Date().getDay())` */
function switched(node: ts.Node, kindOf: (node: ts.Node) => Changing | null): Changing | null {
  if (!ts.isSwitchStatement(node)) return null;
  const kind = kindOf(node.expression);
  return kind === "time" && !readsPart(node.expression) ? null : kind;
}

/** Parts of a date: year, month, day, hour, or its text. */
const PARTS = /\.(?:get(?:UTC)?(?:FullYear|Month|Date|Day|Hours|Minutes)|to\w*String|toJSON)\(/;

function readsPart(node: ts.Node): boolean {
  return PARTS.test(`${node.getText()}(`);
}

/** Literals, and what `Date` and `Number` make of them. */
function isConstant(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) {
    return /^(?:Date|Number|BigInt|UTC|parse|getTime|valueOf)$/.test(node.text) || isConst(node);
  }
  return ts.forEachChild(node, (child) => (isConstant(child) ? undefined : true)) !== true;
}

/** Whether a name stands for a constant of the file. */
function isConst(node: ts.Identifier): boolean {
  const declared = declarationOf(node);
  return declared?.initializer !== undefined && isConstant(declared.initializer);
}

function declarationOf(node: ts.Identifier): ts.VariableDeclaration | undefined {
  const find = (inner: ts.Node): ts.VariableDeclaration | undefined => {
    const isIt =
      ts.isVariableDeclaration(inner) &&
      ts.isIdentifier(inner.name) &&
      inner.name.text === node.text &&
      (inner.parent.flags & ts.NodeFlags.Const) !== 0 &&
      !(inner.pos <= node.pos && node.end <= inner.end);
    return isIt ? inner : ts.forEachChild(inner, find);
  };
  return find(node.getSourceFile());
}

/** Seconds since the epoch of 2001: no duration is as long. */
const LEAST_INSTANT = 1_000_000_000;

function isInstant(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) {
    const declared = declarationOf(node)?.initializer;
    return declared !== undefined && isInstant(declared);
  }
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) {
    return Number(node.text.replace(/n$/, "")) >= LEAST_INSTANT;
  }
  if (ts.isStringLiteralLike(node)) return /^\d{4}-\d\d/.test(node.text);
  if (ts.isNewExpression(node) && node.expression.getText() === "Date") return true;
  if (ts.isCallExpression(node) && /^Date\.(?:UTC|parse)$/.test(node.expression.getText())) {
    return true;
  }
  return ts.forEachChild(node, (child) => (isInstant(child) ? true : undefined)) === true;
}
