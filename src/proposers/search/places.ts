import { ts } from "ts-morph";
import { isAssignmentToken, isComparisonToken } from "./tokens.ts";

/** Whether a node is an expression whose value is read where it stands, and can be another one. */
export function isValue(node: ts.Node): node is ts.Expression {
  if (!ts.isExpression(node) || ts.isOmittedExpression(node)) return false;
  const { parent } = node;
  if (ts.isIdentifier(node) && isNameOnly(node)) return false;
  if (ts.isSpreadElement(node) || node.kind === ts.SyntaxKind.SuperKeyword) return false;
  if (ts.isBinaryExpression(parent)) {
    if (parent.operatorToken === (node as ts.Node)) return false;
    return parent.left !== node || !isAssignmentToken(parent.operatorToken.kind);
  }
  if (ts.isPostfixUnaryExpression(parent) || ts.isDeleteExpression(parent)) return false;
  if (ts.isPrefixUnaryExpression(parent)) return !isUpdate(parent.operator);
  if (ts.isExpressionStatement(parent) || ts.isTaggedTemplateExpression(parent)) return false;
  if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.expression === node;
  if (ts.isForStatement(parent)) return parent.condition === node;
  return !ts.isExpressionWithTypeArguments(parent) && !ts.isTypeOfExpression(parent);
}

/** Whether an expression is what a call calls, or `x.m` of a call `x.m()`. */
export function isCallee(node: ts.Node): boolean {
  const { parent } = node;
  return (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node;
}

/** Whether a value stands where a computed one is usual: operand, argument, index, result. */
export function isComputed(node: ts.Node): boolean {
  const { parent } = node;
  if (isCallee(node)) return false;
  if (ts.isBinaryExpression(parent)) return true;
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === node;
  return (
    ts.isCallExpression(parent) ||
    ts.isNewExpression(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isVariableDeclaration(parent) ||
    ts.isTemplateSpan(parent) ||
    ts.isArrowFunction(parent) ||
    ts.isConditionalExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isParenthesizedExpression(parent)
  );
}

/** Whether an expression decides something: a test, an operand of one, a boolean result. */
export function isTest(node: ts.Node): node is ts.Expression {
  const { parent } = node;
  if (!parent || !ts.isExpression(node)) return false;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent)) {
    return parent.expression === node;
  }
  if (ts.isConditionalExpression(parent) || ts.isForStatement(parent)) {
    return parent.condition === node;
  }
  if (ts.isReturnStatement(parent) || ts.isArrowFunction(parent)) return isBoolean(node);
  if (ts.isParenthesizedExpression(parent) || ts.isVariableDeclaration(parent)) {
    return isBoolean(node);
  }
  return isBinaryTest(parent);
}

function isBinaryTest(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node)) return false;
  const { BarBarToken, AmpersandAmpersandToken } = ts.SyntaxKind;
  return [BarBarToken, AmpersandAmpersandToken].includes(node.operatorToken.kind);
}

function isBoolean(node: ts.Expression): boolean {
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken;
  return (
    (ts.isBinaryExpression(node) && isComparisonToken(node.operatorToken.kind)) ||
    isBinaryTest(node)
  );
}

/** The innermost function around a node, or null at the top of the file. */
export function functionAround(node: ts.Node): ts.FunctionLikeDeclaration | null {
  for (let at = node.parent; at; at = at.parent) {
    if (ts.isFunctionLike(at) && "body" in at) return at;
  }
  return null;
}

/** Whether a node stands in the body of a loop of its own function. */
export function isInLoop(node: ts.Node): boolean {
  for (let at = node.parent; at && !ts.isFunctionLike(at); at = at.parent) {
    if (ts.isIterationStatement(at, false)) return true;
  }
  return false;
}

function isUpdate(operator: ts.PrefixUnaryOperator): boolean {
  return operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;
}

/** An identifier that names something and reads nothing. */
function isNameOnly(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if ("name" in parent && parent.name === node) return true;
  return (
    ("propertyName" in parent && parent.propertyName === node) ||
    ("label" in parent && parent.label === node) ||
    ts.isTypeReferenceNode(parent) ||
    ts.isTypeQueryNode(parent)
  );
}
