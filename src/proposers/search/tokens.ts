import { ts } from "ts-morph";

const { SyntaxKind } = ts;

const COMPARISONS: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.LessThanToken,
  SyntaxKind.LessThanEqualsToken,
  SyntaxKind.GreaterThanToken,
  SyntaxKind.GreaterThanEqualsToken,
  SyntaxKind.EqualsEqualsToken,
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
  SyntaxKind.InKeyword,
  SyntaxKind.InstanceOfKeyword,
]);

const LOGICAL: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
]);

/** Whether an operator compares two values. */
export function isComparisonToken(kind: ts.SyntaxKind): boolean {
  return COMPARISONS.has(kind);
}

/** Whether an operator is `&&`, `||` or `??`. */
export function isLogicalToken(kind: ts.SyntaxKind): boolean {
  return LOGICAL.has(kind);
}

/** Whether an operator assigns to its left operand. */
export function isAssignmentToken(kind: ts.SyntaxKind): boolean {
  return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;
}
