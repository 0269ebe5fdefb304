import { ts } from "ts-morph";
import { declarationOf } from "./declaration.ts";

/**
 * What a `try` takes in. `documented`: nothing in it can throw but what is known to, such as
 * `JSON.parse`. `near`: that, and a little more. `wide`: work of the skill's own.
 */
export type Reach = "documented" | "near" | "wide";

/** Statements, inner ones counted, from which on a `try` is around work of the skill's own. */
const MOST_STATEMENTS = 5;

/** How far a block of a `try` reaches; `own` are the functions of the file. */
export function reachOf(block: ts.Block, own: ReadonlySet<string>): Reach {
  const seen = { throwers: 0, statements: 0, isNear: false, isWide: false };
  const visit = (node: ts.Node): void => {
    if (ts.isStatement(node) && !ts.isBlock(node)) seen.statements += 1;
    if (isWork(node)) seen.isWide = true;
    else if (ts.isFunctionLike(node)) seen.isNear = true;
    else if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const kind = kindOfCall(node, own);
      if (kind === "documented") seen.throwers += 1;
      else if (kind === "wide") seen.isWide = true;
      else if (kind === "near") seen.isNear = true;
    } else if (isAccess(node) && !isSafe(node)) seen.isNear = true;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(block, visit);
  if (seen.throwers === 0 || seen.isWide || seen.statements > MOST_STATEMENTS) return "wide";
  return seen.isNear ? "near" : "documented";
}

/** Loops, throws and promises made elsewhere are no question to a built-in. */
function isWork(node: ts.Node): boolean {
  return (
    ts.isIterationStatement(node, false) ||
    ts.isThrowStatement(node) ||
    ts.isTryStatement(node) ||
    ts.isTaggedTemplateExpression(node) ||
    ts.isYieldExpression(node) ||
    (ts.isAwaitExpression(node) && !ts.isCallExpression(bare(node.expression))) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassLike(node)
  );
}

/** What throws for bad input, by ECMA-262, ECMA-402, the URL, Encoding and HTML standards. */
const THROWERS = new RegExp(
  `^(?:${[
    "URL|RegExp|BigInt|atob|btoa|structuredClone|TextDecoder",
    "JSON\\.(?:parse|stringify)|(?:de|en)codeURI(?:Component)?",
    "Intl\\.\\w+|Temporal\\.[\\w.]+\\.from|Symbol\\.keyFor",
  ].join("|")})$`,
);

/** Methods of the same standards, by their names alone. */
const THROWING_METHODS =
  /^(?:json|text|arrayBuffer|bytes|formData|toISOString|normalize|toFixed|toPrecision|toLocale\w+|decode|repeat)$/;

/** Functions that throw for no input that is data. */
const HARMLESS =
  /^(?:String|Number|Boolean|Date|Map|Set|Array|Error|URLSearchParams|TextEncoder|\w+Array(?:\.from|\.of)?|parseInt|parseFloat|isNaN|isFinite|Array\.(?:isArray|from|of)|Object\.\w+|Number\.\w+|Math\.\w+|Date\.\w+|String\.\w+|console\.\w+|ctx\??\.log(?:\??\.\w+)?)$/;

/** Methods of texts, lists, patterns, maps and addresses that throw for no data. */
const ASKING =
  /^(?:trim\w*|to(?:Lower|Upper)Case|toString|valueOf|slice|substring|at|char\w+|codePointAt|split|join|concat|includes|startsWith|endsWith|indexOf|lastIndexOf|replace(?:All)?|pad\w+|match(?:All)?|test|exec|get(?:All|(?:UTC)?(?:FullYear|Month|Date|Day|Hours|Minutes|Seconds|Time))?|has|keys|values|entries|with|push|unshift|add|set|append|delete|toSorted|toReversed|canParse|format|formatToParts|resolvedOptions|of)$/;

type CallKind = "documented" | "harmless" | "near" | "wide";

function kindOfCall(
  node: ts.CallExpression | ts.NewExpression,
  own: ReadonlySet<string>,
): CallKind {
  const { expression } = node;
  const name = expression.getText();
  if (isOwn(expression, own) || node.arguments?.some((argument) => isOwn(argument, own)) === true) {
    return "wide";
  }
  if (THROWERS.test(name)) return "documented";
  if (HARMLESS.test(name)) return "harmless";
  if (!ts.isPropertyAccessExpression(expression) || /^ctx\b/.test(name)) return "wide";
  const method = expression.name.text;
  if (THROWING_METHODS.test(method)) return "documented";
  if (ASKING.test(method)) return "harmless";
  return node.arguments?.some(ts.isFunctionLike) === true ? "near" : "wide";
}

/** Whether a name, or a member, is one that the file may give a meaning of its own. */
function isOwn(node: ts.Expression, own: ReadonlySet<string>): boolean {
  if (ts.isIdentifier(node)) {
    const isCalled = ts.isCallExpression(node.parent) && node.parent.expression === node;
    return own.has(node.text) || (isCalled && declarationOf(node) !== null);
  }
  if (!ts.isPropertyAccessExpression(node)) return false;
  const root = rootOf(node);
  const isShadow = ts.isIdentifier(root) && /^[A-Z]/.test(root.text);
  return own.has(node.name.text) || (isShadow && declarationOf(root) !== null);
}

function isAccess(node: ts.Node): node is ts.PropertyAccessExpression | ts.ElementAccessExpression {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
}

/** Whether reading a member cannot fail but for a whole value that is missing. */
function isSafe(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): boolean {
  if (ts.isOptionalChain(node) || !isAccess(bare(node.expression))) return true;
  const root = rootOf(node);
  if (!ts.isIdentifier(root)) return ts.isNewExpression(root);
  const made = declarationOf(root)?.initializer;
  return (made !== undefined && ts.isNewExpression(made)) || /^[A-Z]|^ctx$/.test(root.text);
}

function rootOf(node: ts.Expression): ts.Expression {
  const inner = bare(node);
  return isAccess(inner) ? rootOf(inner.expression) : inner;
}

function bare(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node);
  return isWrapped ? bare(node.expression) : node;
}
