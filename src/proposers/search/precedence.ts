import { ts } from "ts-morph";

/** Binding strength of operators, as in ECMA-262; higher binds tighter. */
export const PRECEDENCE = {
  comma: 0,
  assignment: 1,
  conditional: 2,
  nullish: 3,
  or: 3,
  and: 4,
  bitOr: 5,
  bitXor: 6,
  bitAnd: 7,
  equality: 8,
  relation: 9,
  shift: 10,
  sum: 11,
  product: 12,
  power: 13,
  unary: 14,
  member: 16,
} as const;

/**
 * Texts to put around an expression so that it becomes `before expr after`, an expression of the
 * given precedence, with the parentheses that it and its surroundings need.
 */
export function grown(
  node: ts.Expression,
  [before, after]: readonly [string, string],
  precedence: number,
): readonly [string, string] {
  const isWeak = precedenceOf(node) <= precedence && precedenceOf(node) < PRECEDENCE.member;
  const [open, close] = isWeak ? [`${before}(`, `)${after}`] : [before, after];
  return bindsTighter(node, precedence) ? [`(${open}`, `${close})`] : [open, close];
}

/** A text of some precedence, in parentheses if it takes the place of `node` in a tighter context. */
export function inPlaceOf(node: ts.Expression, text: string, precedence: number): string {
  return bindsTighter(node, precedence) ? `(${text})` : text;
}

/** Binding strength of the operator at the root of an expression. */
export function precedenceOf(node: ts.Node): number {
  if (ts.isBinaryExpression(node)) return precedenceOfToken(node.operatorToken.kind);
  if (ts.isConditionalExpression(node)) return PRECEDENCE.conditional;
  if (ts.isArrowFunction(node) || ts.isYieldExpression(node)) return PRECEDENCE.assignment;
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return PRECEDENCE.relation;
  if (
    ts.isPrefixUnaryExpression(node) ||
    ts.isPostfixUnaryExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isTypeOfExpression(node) ||
    ts.isVoidExpression(node) ||
    ts.isDeleteExpression(node)
  ) {
    return PRECEDENCE.unary;
  }
  return PRECEDENCE.member;
}

/** Whether the place of `node` needs an expression that binds tighter than `precedence`. */
function bindsTighter(node: ts.Node, precedence: number): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    const outer = precedenceOfToken(parent.operatorToken.kind);
    if (outer === PRECEDENCE.assignment) return parent.left === node;
    if (outer === PRECEDENCE.power && parent.left === node) return precedence <= PRECEDENCE.unary;
    return outer >= precedence;
  }
  if (ts.isConditionalExpression(parent)) {
    return parent.condition === node && precedence <= PRECEDENCE.conditional;
  }
  if (ts.isPropertyAccessExpression(parent) || ts.isNonNullExpression(parent)) return true;
  if (ts.isElementAccessExpression(parent)) return parent.expression === node;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression === node;
  if (ts.isTaggedTemplateExpression(parent)) return true;
  return precedenceOf(parent) >= PRECEDENCE.relation && !isLoose(parent);
}

/** Whether a node is no operator: its operands stand alone. */
function isLoose(node: ts.Node): boolean {
  return precedenceOf(node) === PRECEDENCE.member;
}

/** Binding strength of a binary operator, given as its text. */
export function precedenceOfOperator(text: string): number {
  return BY_OPERATOR.get(text) ?? PRECEDENCE.assignment;
}

function precedenceOfToken(kind: ts.SyntaxKind): number {
  return precedenceOfOperator(ts.tokenToString(kind) ?? "");
}

const BY_OPERATOR: ReadonlyMap<string, number> = new Map(
  [
    [PRECEDENCE.comma, ","],
    [PRECEDENCE.or, "|| ??"],
    [PRECEDENCE.and, "&&"],
    [PRECEDENCE.bitOr, "|"],
    [PRECEDENCE.bitXor, "^"],
    [PRECEDENCE.bitAnd, "&"],
    [PRECEDENCE.equality, "== === != !=="],
    [PRECEDENCE.relation, "< <= > >= in instanceof"],
    [PRECEDENCE.shift, "<< >> >>>"],
    [PRECEDENCE.sum, "+ -"],
    [PRECEDENCE.product, "* / %"],
    [PRECEDENCE.power, "**"],
  ].flatMap(([strength, texts]) =>
    String(texts)
      .split(" ")
      .map((text) => [text, Number(strength)] as const),
  ),
);
