import { ts } from "ts-morph";

/** Parts of a tree that are erased before the program runs. */
export function isTypeOnly(node: ts.Node): boolean {
  return (
    (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeParameterDeclaration(node)
  );
}

/** Whether an identifier stands for the value of a variable, not for a member or a declaration. */
export function isRead(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent) || ts.isEnumMember(parent)) return parent.name !== node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent)) return false;
  const declares =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isFunctionLike(parent) ||
    ts.isClassLike(parent);
  return !declares || parent.name !== node;
}

/** The name of the member that is reached for; null where it is known at run time only. */
export function memberName(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
): string | null {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return constantText(node.argumentExpression);
}

/** The text that an expression of literals and `+` always has; null for all others. */
export function constantText(node: ts.Expression): string | null {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return constantText(node.expression);
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map(({ expression, literal }) => {
      const text = constantText(expression);
      return text === null ? null : text + literal.text;
    });
    return spans.includes(null) ? null : node.head.text + spans.join("");
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken)
    return null;
  const [left, right] = [constantText(node.left), constantText(node.right)];
  return left === null || right === null ? null : left + right;
}
