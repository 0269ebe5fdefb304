import { ts } from "ts-morph";

/** The statements of a list before which a call may stand: all but directives and declarations. */
export function statementsIn(node: ts.Node): readonly ts.Statement[] {
  if (!ts.isSourceFile(node) && !ts.isBlock(node) && !ts.isCaseOrDefaultClause(node)) return [];
  const { statements } = node;
  const first = statements.findIndex((statement) => !isDirective(statement));
  return statements.slice(first < 0 ? statements.length : first).filter(isExecuted);
}

function isDirective(statement: ts.Statement): boolean {
  return ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);
}

/** A function declaration has run before any statement has. */
function isExecuted(statement: ts.Statement): boolean {
  return !ts.isFunctionDeclaration(statement) && !ts.isEmptyStatement(statement);
}

/** A statement that is the whole body of `if`, `else` or a loop, without braces. */
export function isLooseBody(node: ts.Node): node is ts.Statement {
  const { parent } = node;
  if (parent === undefined || ts.isBlock(node) || node.kind === ts.SyntaxKind.EmptyStatement) {
    return false;
  }
  if (ts.isIfStatement(parent)) {
    return (
      (node === parent.thenStatement || node === parent.elseStatement) &&
      !ts.isFunctionDeclaration(node)
    );
  }
  return ts.isIterationStatement(parent, false) && node === parent.statement;
}

/**
 * Whether `(hit, expression)` may stand for an expression: where only its value counts. The places
 * are listed, so that a place that nobody thought of is left alone; among those left alone are
 * callees and receivers (they carry `this`), operands of typeof and delete, and assignment targets.
 */
export function isCounted(node: ts.Node): node is ts.Expression {
  return isValue(node) && (!isLeaf(node) || mayBeSkipped(node));
}

/** Whether another expression, in parentheses, may stand for this one: only its value counts. */
export function isValue(node: ts.Node): node is ts.Expression {
  return ts.isExpression(node) && isValuePlace(node) && !isKept(node);
}

/** A name or a literal is passed whenever what is around it is. */
function isLeaf(node: ts.Expression): boolean {
  return (
    ts.isIdentifier(node) ||
    ts.isLiteralExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isToken(node)
  );
}

/** Branches, right sides of `&&`, `||` and `??`, results of arrows, default values. */
function mayBeSkipped(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    const { kind } = parent.operatorToken;
    return parent.right === node && SHORT_CIRCUITS.has(kind);
  }
  return (
    (ts.isConditionalExpression(parent) && parent.condition !== node) ||
    ts.isArrowFunction(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent)
  );
}

const SHORT_CIRCUITS = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/** A function or class takes its name from where it stands. */
function isKept(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isKept(node.expression);
  return (
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isClassExpression(node) ||
    ts.isSpreadElement(node) ||
    ts.isOmittedExpression(node) ||
    ts.isPrivateIdentifier(node) ||
    node.kind === ts.SyntaxKind.SuperKeyword
  );
}

function isValuePlace(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isBinaryExpression(parent)) return isOperand(node, parent);
  if (ts.isConditionalExpression(parent)) return true;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== node;
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === node;
  if (ts.isPropertyAssignment(parent)) return isMemberValue(node, parent);
  if (ts.isPrefixUnaryExpression(parent)) return !isUpdate(parent.operator);
  return isInitializer(node, parent) || isHead(node, parent);
}

/** Operands, but for the target of an assignment and a private name before `in`. */
function isOperand(node: ts.Node, { left, operatorToken }: ts.BinaryExpression): boolean {
  if (node === operatorToken || isInPattern(node.parent)) return false;
  const { kind } = operatorToken;
  const isAssignment =
    kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  return node !== left || !isAssignment;
}

function isUpdate(operator: ts.PrefixUnaryOperator): boolean {
  return operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;
}

function isMemberValue(
  node: ts.Node,
  { initializer, parent, name }: ts.PropertyAssignment,
): boolean {
  const setsPrototype = name.getText() === "__proto__";
  return node === initializer && !isInPattern(parent) && !setsPrototype;
}

/** Initial values of variables, parameters, pattern members and fields. */
function isInitializer(node: ts.Node, parent: ts.Node): boolean {
  const holds =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isPropertyDeclaration(parent);
  return holds && parent.initializer === node;
}

/** Conditions, subjects and results of statements; elements of arrays; parts of templates. */
function isHead(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isArrayLiteralExpression(parent)) return !isInPattern(parent);
  if (ts.isSpreadElement(parent)) return !isInPattern(parent.parent);
  if (ts.isForStatement(parent)) return node === parent.condition || node === parent.incrementor;
  if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return node === parent.expression;
  if (ts.isArrowFunction(parent)) return node === parent.body && !ts.isBlock(node);
  return (
    ts.isIfStatement(parent) ||
    ts.isWhileStatement(parent) ||
    ts.isDoStatement(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isThrowStatement(parent) ||
    ts.isSwitchStatement(parent) ||
    ts.isCaseClause(parent) ||
    ts.isTemplateSpan(parent)
  );
}

/** Whether a node is part of the literal on the left of a destructuring assignment, at any depth. */
function isInPattern(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isBinaryExpression(parent)) {
    return parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  }
  if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) {
    return parent.initializer === node;
  }
  const nests =
    ts.isArrayLiteralExpression(parent) ||
    ts.isObjectLiteralExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isSpreadElement(parent) ||
    ts.isSpreadAssignment(parent);
  return nests && isInPattern(parent);
}
