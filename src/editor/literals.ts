import { ts } from "ts-morph";
import type { Literal, SourceText } from "../ports/editor.ts";
import { isTypeOnly } from "./policy/reading.ts";
import { parse } from "./syntax.ts";

/**
 * What a source has written down, by value, however it is spelled: `0x10`, `1_6` and `16` are one
 * number. Pieces of templates, names of members of objects, and what a pattern says letter by letter
 * are texts.
 */
export function literals(source: SourceText): readonly Literal[] {
  const found: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (isTypeOnly(node)) return;
    found.push(...literalsAt(node));
    ts.forEachChild(node, visit);
  };
  visit(parse(source.text, source.language));
  return found;
}

function literalsAt(node: ts.Node): readonly Literal[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) return [node.text];
  if (ts.isNumericLiteral(node)) return [Number(node.text)];
  if (ts.isBigIntLiteral(node)) return [Number(node.text.replace(/n$/, ""))];
  if (ts.isRegularExpressionLiteral(node)) return saidBy(node.text);
  const isMember = ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node);
  return isMember && ts.isIdentifier(node.name) ? [node.name.text] : [];
}

/** The letters and digits that a pattern asks for as such: no classes, ranges, names or counts. */
function saidBy(pattern: string): readonly string[] {
  return pattern
    .slice(1, pattern.lastIndexOf("/"))
    .replace(/\\(?:x([\da-f]{2})|u([\da-f]{4}))/gi, (_, two: string, four: string) =>
      String.fromCharCode(Number.parseInt(two ?? four, 16)),
    )
    .replace(/\\p\{[^}]*\}|\\k<[^>]*>|\\.|\(\?<?\w*>?|\{[\d,]*\}|\w-\w/gi, " ")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((text) => text !== "");
}
