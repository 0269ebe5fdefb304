import { ts } from "ts-morph";
import { replacing, type Change } from "../change.ts";
import type { Scene } from "../scene.ts";

const USUAL_STRINGS = [
  '""',
  '" "',
  '"\\n"',
  '","',
  '", "',
  '"-"',
  '"/"',
  '"."',
  '"0"',
  '"&"',
  '"="',
];

/** `true` to `false` and back. */
export function* booleans(node: ts.Node): Generator<Change> {
  if (node.kind === ts.SyntaxKind.TrueKeyword) yield replacing("boolean", node, "false");
  if (node.kind === ts.SyntaxKind.FalseKeyword) yield replacing("boolean", node, "true");
}

/** Another string: those of the file, the usual separators, other case, with or without blanks. */
export function* strings(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isStringLiteral(node) || !isChangeable(node)) return;
  const { text } = node;
  const own = JSON.stringify(text);
  const weights = new Map<string, number>();
  const offer = (literal: string, weight: number): void => {
    if (literal !== own && !weights.has(literal)) weights.set(literal, weight);
  };
  for (const literal of scene.strings.slice(0, 20)) {
    offer(literal, Math.abs(literal.length - own.length) < 3 ? 1 : 0.4);
  }
  for (const variant of variantsOf(text)) offer(JSON.stringify(variant), 0.6);
  for (const literal of text.length < 4 ? USUAL_STRINGS : ['""']) offer(literal, 0.25);
  for (const [literal, weight] of weights) yield replacing("string", node, literal, weight);
}

/** Texts near a given one. */
function variantsOf(text: string): readonly string[] {
  const variants = [text.toLowerCase(), text.toUpperCase(), text.trim()];
  if (text.length > 0) variants.push(text[0]?.toUpperCase() + text.slice(1));
  if (text.length > 0 && text.length < 40) variants.push(`${text} `, ` ${text}`);
  if (text.length > 1)
    variants.push(text.slice(0, -1), text.slice(1), Array.from(text).toReversed().join(""));
  if (/[/.:,-]/.test(text)) variants.push(`/${text}`, `${text}/`, `${text}.`);
  if (text === "\n") variants.push("\r\n", "\n\n");
  if (text === "\r\n") variants.push("\n");
  if (text === "\n\n") variants.push("\n", "\r\n\r\n");
  return variants;
}

function isChangeable(node: ts.StringLiteral): boolean {
  const { parent } = node;
  return !(
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isTypeOfExpression(parent) ||
    (ts.isExpressionStatement(parent) && node.text === "use strict") ||
    ("name" in parent && parent.name === node)
  );
}
