import { ts } from "ts-morph";
import type { Suspicion } from "../../../domain/incident.ts";
import { functionAround, isCallee, isInLoop, isTest, isValue } from "../places.ts";
import type { Scene } from "../scene.ts";
import { suspicionOf } from "../suspicion.ts";
import { isAssignmentToken } from "../tokens.ts";
import { atomsFor, type Atom } from "./hole-atoms.ts";

type HoleKind = "condition" | "value" | "guard";

/** A place whose expression may be another one, or a statement before which a guard may stand. */
export type Hole = {
  readonly kind: HoleKind;
  readonly node: ts.Node;
  /** How suspicious the place is, times how often fixes are at such places. */
  readonly weight: number;
  /** What stands here, or is returned here, is what the skill gives back. */
  readonly isResult: boolean;
  /** Whether the place may be passed once more while it is passed: its function calls itself. */
  readonly isRecursive: boolean;
  readonly isInLoop: boolean;
  /** What is noted there. */
  readonly atoms: readonly Atom[];
};

/** Most names, members and the like that are noted at one hole. */
const MOST_ATOMS = 28;

/**
 * The places of a program that are worth an expression of their own, the likeliest first; how often
 * fixes are at such places is as counted in BugsJS (Gyimesi et al., ICST 2019): conditions 124,
 * assigned expressions 115, arguments 67, preconditions 89, results 33 of 453 bugs.
 */
export function holesOf(
  scene: Scene,
  { suspicions, entry }: { readonly suspicions: readonly Suspicion[]; readonly entry: ts.Node },
  most: number,
): readonly Hole[] {
  const { file } = scene;
  const found: { node: ts.Node; kind: HoleKind; weight: number }[] = [];
  const visit = (node: ts.Node): void => {
    for (const [kind, usual] of kindsOf(node)) {
      const weight = usual * suspicionOf(node, suspicions, file);
      if (weight > 0) found.push({ node, kind, weight });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, most)
    .map(({ node, kind, weight }) => ({
      kind,
      node,
      weight,
      isResult: isResultOf(node, kind, entry),
      isRecursive: callsItself(functionAround(node)),
      isInLoop: isInLoop(node),
      atoms: atomsFor(node, scene).slice(0, MOST_ATOMS),
    }));
}

function* kindsOf(node: ts.Node): Generator<readonly [HoleKind, number]> {
  const around = functionAround(node);
  if (around === null || isInParameter(node, around)) return;
  if (isGuardable(node)) yield ["guard", 0.6];
  if (!isValue(node) || ts.isParenthesizedExpression(node)) return;
  if (isTest(node)) yield ["condition", isOperand(node) ? 0.7 : 1];
  const usual = usualOf(node);
  if (usual > 0) yield ["value", usual];
}

/** How often a fix changes what stands in such a place. */
function usualOf(node: ts.Expression): number {
  const { parent } = node;
  if (ts.isFunctionLike(node) || ts.isObjectLiteralExpression(node) || isCallee(node)) return 0;
  if (ts.isReturnStatement(parent)) return 0.8;
  if (ts.isArrowFunction(parent)) return parent.body === node ? 0.6 : 0;
  if (ts.isVariableDeclaration(parent)) return 0.8;
  if (ts.isBinaryExpression(parent)) {
    if (isAssignmentToken(parent.operatorToken.kind)) return 0.9;
    return isBooleanOperator(parent) ? 0 : 0.35;
  }
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === node ? 0.6 : 0;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return 0.5;
  if (ts.isConditionalExpression(parent)) return parent.condition === node ? 0 : 0.6;
  if (ts.isPropertyAssignment(parent) || ts.isArrayLiteralExpression(parent)) return 0.4;
  return ts.isTemplateSpan(parent) || ts.isForOfStatement(parent) ? 0.4 : 0;
}

function isBooleanOperator({ operatorToken }: ts.BinaryExpression): boolean {
  const { AmpersandAmpersandToken, BarBarToken } = ts.SyntaxKind;
  return [AmpersandAmpersandToken, BarBarToken].includes(operatorToken.kind);
}

function isOperand({ parent }: ts.Node): boolean {
  return ts.isBinaryExpression(parent);
}

function isInParameter(node: ts.Node, around: ts.FunctionLikeDeclaration): boolean {
  return around.parameters.some(({ pos, end }) => pos <= node.pos && node.end <= end);
}

function isGuardable(node: ts.Node): boolean {
  if (!ts.isStatement(node) || !ts.isBlock(node.parent) || ts.isBlock(node)) return false;
  if (ts.isFunctionDeclaration(node) || ts.isBreakOrContinueStatement(node)) return false;
  return !(ts.isExpressionStatement(node) && ts.isStringLiteral(node.expression));
}

function isResultOf(node: ts.Node, kind: HoleKind, entry: ts.Node): boolean {
  if (functionAround(node) !== entry) return false;
  return kind === "guard" || ts.isReturnStatement(node.parent) || node.parent === entry;
}

/** Whether a function names itself in its body: the innermost with a name counts. */
function callsItself(node: ts.FunctionLikeDeclaration | null): boolean {
  for (let at: ts.Node | null = node; at !== null; at = functionAround(at)) {
    const name = nameOf(at);
    if (name === null) continue;
    const pattern = new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}\\s*\\(`);
    const body = (at as ts.FunctionLikeDeclaration).body;
    if (body && pattern.test(body.getText())) return true;
  }
  return false;
}

function nameOf(node: ts.Node): string | null {
  if (ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node)) {
    if (node.name) return node.name.text;
  }
  const { parent } = node;
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return null;
  return parent.name.text;
}
