import { ts } from "ts-morph";
import type { PolicyFinding } from "../../ports/editor.ts";
import { findingAt } from "../syntax.ts";
import { asking, brought } from "./noted.ts";
import { type Changing, changingValues } from "./clock-reads.ts";
import { declarationOf } from "./declaration.ts";
import { isConstant, isInstant, readsPart } from "./instants.ts";
import { isTypeOnly } from "./reading.ts";

const COMPARISON = /^(?:[!=]==?|[<>]=?)$/;

/**
 * Branches that a program takes on a fixed day or by chance: right while it is examined, something
 * else later. Durations (`now - start > 1000`) are left alone, and so are dates that are given. A
 * date that is given or else now, a number that is drawn of `ctx`, and a program that went by the
 * day before are left to a person.
 */
export function bombs(before: ts.SourceFile, after: ts.SourceFile): PolicyFinding[] {
  const was = bombsIn(before);
  const isOld = (message: string): boolean =>
    was.some((known) => DETECTOR.exec(known.message)?.[0] === DETECTOR.exec(message)?.[0]);
  return brought(was, bombsIn(after)).map((found) =>
    found.severity !== "ask" && isOld(found.message) ? asking(found) : found,
  );
}

const DETECTOR = /^[\w-]+: \w+/;

function bombsIn(file: ts.SourceFile): PolicyFinding[] {
  const kindOf = changingValues(file);
  const findings: PolicyFinding[] = [];
  const visit = (node: ts.Node): void => {
    if (isTypeOnly(node)) return;
    const found = ts.isBinaryExpression(node) ? fixedBranch(node, kindOf) : switched(node, kindOf);
    if (found !== null) {
      const finding = findingAt(node, MESSAGES[found.kind]);
      findings.push(found.isUnsure || found.kind === "drawn" ? asking(finding) : finding);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return findings;
}

const MESSAGES: Readonly<Record<Changing, string>> = {
  time: "time-dependence: the clock is compared with a fixed instant",
  random:
    "random-dependence: chance decides a branch; a skill whose contract wants chance draws it with ctx.random()",
  drawn: "random-dependence: ctx.random decides a branch",
};

type KindOf = (node: ts.Node) => Changing | null;

type Branch = { readonly kind: Changing; readonly isUnsure: boolean };

function fixedBranch(
  { left, right, operatorToken }: ts.BinaryExpression,
  kindOf: KindOf,
): Branch | null {
  if (!COMPARISON.test(operatorToken.getText())) return null;
  for (const [changing, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const kind = kindOf(changing);
    if (kind === null || kindOf(other) !== null || !isConstant(other)) continue;
    if (kind !== "time") return { kind, isUnsure: false };
    if (!isInstant(other) && !readsPart(changing)) continue;
    if (isClockAlone(changing, kindOf)) return { kind, isUnsure: false };
    if (isOfNames(changing, kindOf) || isGivenOrNow(changing, kindOf)) {
      return { kind, isUnsure: true };
    }
  }
  return null;
}

/** `switch (new Date().getDay())` */
function switched(node: ts.Node, kindOf: KindOf): Branch | null {
  if (!ts.isSwitchStatement(node)) return null;
  const { expression } = node;
  const kind = kindOf(expression);
  if (kind === null || (kind === "time" && !readsPart(expression))) return null;
  const isUnsure = kind === "time" && !isClockAlone(expression, kindOf);
  return { kind, isUnsure };
}

/** Names of the clock, and of what its values have. */
const OF_THE_CLOCK = /^(?:Date|performance|globalThis|ctx|clock|Intl|Number|Math)$/;

/** Whether nothing but the clock and constants are in an expression: an age or a rest is something else. */
function isClockAlone(node: ts.Node, kindOf: KindOf): boolean {
  if (ts.isIdentifier(node)) {
    const { parent } = node;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    if (isMember || OF_THE_CLOCK.test(node.text)) return true;
    if (kindOf(node) === null) return isConstant(node);
    const held = valueOf(node);
    return held === null || (isClockAlone(held, kindOf) && !isSet(node));
  }
  return (
    ts.forEachChild(node, (child) => (isClockAlone(child, kindOf) ? undefined : true)) !== true
  );
}

/** Whether all names in an expression have something of the clock. */
function isOfNames(node: ts.Node, kindOf: KindOf): boolean {
  if (ts.isIdentifier(node)) return kindOf(node) !== null || isClockAlone(node, kindOf);
  return ts.forEachChild(node, (child) => (isOfNames(child, kindOf) ? undefined : true)) !== true;
}

/** Whether the clock is what is taken where nothing is given, or is set by what is given. */
function isGivenOrNow(node: ts.Node, kindOf: KindOf): boolean {
  if (ts.isIdentifier(node)) {
    const held = kindOf(node) === null ? null : valueOf(node);
    return held !== null && (isSet(node) || isGivenOrNow(held, kindOf));
  }
  if (isChoice(node)) return true;
  return ts.forEachChild(node, (child) => isGivenOrNow(child, kindOf) || undefined) === true;
}

function isChoice(node: ts.Node): boolean {
  if (ts.isConditionalExpression(node)) return true;
  return ts.isBinaryExpression(node) && /^(?:\?\?|\|\|)$/.test(node.operatorToken.getText());
}

/** What a variable is given where it is declared; null for one that is declared around the name. */
function valueOf(node: ts.Identifier): ts.Expression | null {
  const declared = declarationOf(node);
  const isInside = declared !== null && declared.pos <= node.pos && node.end <= declared.end;
  return isInside ? null : (declared?.initializer ?? null);
}

/** Whether a date is set, somewhere in its block, by something that is not constant. */
function isSet(name: ts.Identifier): boolean {
  const scope = declarationOf(name)?.parent.parent.parent;
  const sets = (node: ts.Node): boolean =>
    (ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text.startsWith("set") &&
      node.expression.expression.getText() === name.text &&
      !node.arguments.every(isConstant)) ||
    ts.forEachChild(node, (child) => sets(child) || undefined) === true;
  return scope !== undefined && sets(scope);
}
