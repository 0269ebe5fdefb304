import { ts } from "ts-morph";
import { precedenceOf, PRECEDENCE } from "../precedence.ts";
import { walk } from "../walk.ts";
import type { Bindings } from "./match.ts";

/** A piece of code with holes, parsed once. */
export type Template = {
  readonly text: string;
  readonly file: ts.SourceFile;
  readonly root: ts.Node;
};

/** Parses a piece of code: an expression, or one statement. */
export function templateOf(text: string): Template {
  const file = ts.createSourceFile("idiom.js", text, ts.ScriptTarget.Latest, true);
  const [statement] = file.statements;
  if (!statement) throw new Error(`an idiom is code, not ${JSON.stringify(text)}`);
  const isPlain = ts.isExpressionStatement(statement) && !text.endsWith(";");
  const root = isPlain ? unwrapped(statement.expression) : statement;
  return { text: root.getText(file), file, root };
}

/** An object literal needs parentheses to be read as an expression. */
function unwrapped(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ? node.expression : node;
}

/** A template with its holes filled; null where what fills one cannot be copied. */
export function render(
  { root, text, file }: Template,
  bindings: Bindings,
  copyOf: (node: ts.Node) => string | null,
): string | null {
  let rendered = "";
  let at = root.getStart(file);
  const start = at;
  let isWhole = true;
  walk(root, (node) => {
    if (!ts.isIdentifier(node) || !node.text.startsWith("$")) return;
    const bound = bindings.get(node.text);
    if (!bound) return;
    const copy = copyOf(bound);
    if (copy === null) isWhole = false;
    rendered +=
      text.slice(at - start, node.getStart(file) - start) + placed(node, bound, copy ?? "");
    at = ts.isStatement(bound) ? node.parent.end : node.end;
  });
  return isWhole ? rendered + text.slice(at - start) : null;
}

/** In parentheses where the hole needs an expression that binds tighter. */
function placed(hole: ts.Node, bound: ts.Node, copy: string): string {
  const { parent } = hole;
  const isOperand =
    ts.isBinaryExpression(parent) ||
    ts.isPrefixUnaryExpression(parent) ||
    ts.isPropertyAccessExpression(parent) ||
    ts.isConditionalExpression(parent) ||
    ((ts.isCallExpression(parent) || ts.isElementAccessExpression(parent)) &&
      parent.expression === hole);
  const outer = ts.isBinaryExpression(parent) ? precedenceOf(parent) : PRECEDENCE.unary;
  return isOperand && precedenceOf(bound) <= outer && precedenceOf(bound) < PRECEDENCE.member
    ? `(${copy})`
    : copy;
}
