import { ts } from "ts-morph";
import type { Shown } from "../../ports/editor.ts";
import { lineOf } from "../syntax.ts";
import { declarationOf } from "./declaration.ts";
import { constantText } from "./reading.ts";

/**
 * Whether an error that was seen is one that a statement throws: by its class, and by its message,
 * or by its line where nothing of the message is written there.
 */
export function throwsSo(
  node: ts.ThrowStatement,
  { name, message, line }: Shown["thrown"][number],
): boolean {
  const { expression } = node;
  if (ts.isIdentifier(expression)) return line !== null && isThrownOn(expression, line);
  if (!ts.isNewExpression(expression) && !ts.isCallExpression(expression)) return false;
  const made = expression.expression.getText();
  if (BUILT_IN.test(made) && made !== name) return false;
  const [text] = expression.arguments ?? [];
  const pattern = text === undefined ? null : patternOf(text);
  if (pattern === null) return line !== null && isOnLine(node, line);
  return message.length <= LONGEST_MESSAGE && pattern.test(message);
}

/** Whether a name is that of a caught error, which was made on a line of the `try`. */
function isThrownOn(name: ts.Identifier, line: number): boolean {
  const clause = declarationOf(name)?.parent;
  return clause !== undefined && ts.isCatchClause(clause) && isOnLine(clause.parent, line);
}

function isOnLine(node: ts.Node, line: number): boolean {
  const file = node.getSourceFile();
  return lineOf(file, node.getStart(file)) <= line && line <= lineOf(file, node.end);
}

/** Longer messages are held against no pattern: it might take for ever. */
const LONGEST_MESSAGE = 2_000;

/** Other classes may give their errors any name. */
const BUILT_IN = /^(?:Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error$/;

/** What the messages of an expression look like; null where nothing of them is known. */
function patternOf(node: ts.Expression): RegExp | null {
  const parts = partsOf(node);
  if (!parts.some((part) => /\w/.test(part ?? ""))) return null;
  const pattern = parts.map((part) => part?.replace(SYNTAX, "\\$&") ?? ".*").join("");
  return new RegExp(`^${pattern}$`, "s");
}

const SYNTAX = /[\\^$.*+?()[\]{}|]/g;

/** Known texts in their order, null for what is known at run time only. */
function partsOf(node: ts.Expression): readonly (string | null)[] {
  const text = constantText(node);
  if (text !== null) return [text];
  if (ts.isParenthesizedExpression(node)) return partsOf(node.expression);
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.flatMap(({ literal }) => [null, literal.text]);
    return [node.head.text, ...spans];
  }
  const isJoined =
    ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
  return isJoined ? [...partsOf(node.left), ...partsOf(node.right)] : [null];
}
