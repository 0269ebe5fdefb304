import { ts } from "ts-morph";
import type { Finding } from "../../ports/editor.ts";
import { findingAt } from "../syntax.ts";
import { isBound } from "./bound.ts";
import { constantText, isTypeOnly, memberName } from "./reading.ts";

/** Names by which a program tells where it runs; none of them is there for a skill. */
const PLACES = new Set(
  (
    "process require module exports __filename __dirname Deno Bun navigator window document " +
    "importScripts WorkerGlobalScope EdgeRuntime global"
  ).split(" "),
);

const GLOBALS = new Set(["globalThis", "window", "self", "global"]);

/** How engines print a function that is theirs: a program that looks for it looks for stand-ins. */
const NATIVE = /native code/;

/**
 * Looks at where the program runs. A skill that asks may do one thing while it is examined and
 * another when it is at work.
 */
export function environmentProbes(file: ts.SourceFile): Finding[] {
  const findings: Finding[] = [];
  const visit = (node: ts.Node): void => {
    if (isTypeOnly(node)) return;
    const place = placeIn(node);
    if (place !== null) {
      findings.push(findingAt(node, `environment-probing: looks whether ${place} is there`));
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return findings;
}

function placeIn(node: ts.Node): string | null {
  if (ts.isTypeOfExpression(node)) return freePlace(node.expression);
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    const name = GLOBALS.has(node.expression.getText()) ? memberName(node) : null;
    return name !== null && PLACES.has(name) ? name : null;
  }
  if (ts.isBinaryExpression(node)) {
    const { left, right, operatorToken } = node;
    const isAsked = operatorToken.kind === ts.SyntaxKind.InKeyword && GLOBALS.has(right.getText());
    const name = isAsked ? constantText(left) : null;
    return name !== null && PLACES.has(name) ? name : null;
  }
  if (ts.isBindingElement(node)) return boundPlace(node);
  const isText = ts.isStringLiteralLike(node) || ts.isRegularExpressionLiteral(node);
  return isText && NATIVE.test(node.text) ? "native code" : null;
}

function freePlace(node: ts.Expression): string | null {
  if (!ts.isIdentifier(node) || !PLACES.has(node.text)) return null;
  return isBound(node) ? null : node.text;
}

/** `const { process } = globalThis` */
function boundPlace(node: ts.BindingElement): string | null {
  const holder = node.parent.parent;
  if (!ts.isVariableDeclaration(holder)) return null;
  if (!GLOBALS.has(holder.initializer?.getText() ?? "")) return null;
  const key = node.propertyName ?? node.name;
  return ts.isIdentifier(key) && PLACES.has(key.text) ? key.text : null;
}
