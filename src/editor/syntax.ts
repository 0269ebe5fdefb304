import { createHash } from "node:crypto";
import { Script } from "node:vm";
import { ts } from "ts-morph";
import type { Language, Program } from "../domain/skill.ts";
import type { Finding } from "../ports/editor.ts";

/** The syntax tree of a text; offsets count UTF-16 units of the text as it is, BOM included. */
export function parse(text: string, language: Language): ts.SourceFile {
  const kind = language === "ts" ? ts.ScriptKind.TS : ts.ScriptKind.JS;
  return ts.createSourceFile(`skill.${language}`, text, ts.ScriptTarget.Latest, true, kind);
}

/** The line of an offset, from 1. */
export function lineOf(file: ts.SourceFile, offset: number): number {
  return file.getLineAndCharacterOfPosition(offset).line + 1;
}

/** A finding about a node. */
export function findingAt(node: ts.Node, message: string): Finding {
  const file = node.getSourceFile();
  return { line: lineOf(file, node.getStart(file)), message };
}

/** What the parser of TypeScript has against a text. */
export function syntaxFindings(file: ts.SourceFile): Finding[] {
  const { parseDiagnostics } = file as ts.SourceFile & {
    readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[];
  };
  return parseDiagnostics.map(({ start, messageText }) => ({
    line: lineOf(file, start),
    message: ts.flattenDiagnosticMessageText(messageText, " "),
  }));
}

/**
 * What the engine has against a program: early errors that no parser of TypeScript reports, such
 * as a name declared twice or a broken pattern. The program is compiled and never run.
 */
export function engineFindings(program: Program): Finding[] {
  const text = program.strict ? `"use strict";${program.text}` : program.text;
  try {
    void new Script(text, { filename: "skill.js" });
    return [];
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return [{ line: lineInStack(thrown), message: thrown.message }];
  }
}

/** The engine puts `skill.js:<line>` at the head of the stack of a syntax error. */
function lineInStack(error: SyntaxError): number {
  return Number(/^skill\.js:(\d+)/.exec(error.stack ?? "")?.[1] ?? 1);
}

/** A token, or a comment between two tokens, as offsets. */
export type Token = {
  readonly kind: ts.SyntaxKind;
  readonly start: number;
  readonly end: number;
};

/** Tokens and comments in order. Patterns and template parts are taken from the tree, whole. */
export function tokensOf(file: ts.SourceFile): Token[] {
  const wholes = wholeTokens(file);
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, file.languageVariant, file.text);
  const tokens: Token[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    const start = scanner.getTokenStart();
    const end = wholes.get(start) ?? scanner.getTokenEnd();
    if (end !== scanner.getTokenEnd()) scanner.resetTokenState(end);
    if (!isBlank(kind)) tokens.push({ kind, start, end });
  }
  return tokens;
}

/** Where a scanner without a parser would split a token: the end of each by its start. */
function wholeTokens(file: ts.SourceFile): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) || ts.isTemplateLiteralToken(node)) {
      ends.set(node.getStart(file), node.end);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return ends;
}

function isBlank(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.WhitespaceTrivia || kind === ts.SyntaxKind.NewLineTrivia;
}

/** Whether a token is a comment. */
export function isComment({ kind }: Token): boolean {
  return (
    kind === ts.SyntaxKind.SingleLineCommentTrivia || kind === ts.SyntaxKind.MultiLineCommentTrivia
  );
}

/** The text of the tokens in a range, one space between two: equal for equal code. */
export function normalText(file: ts.SourceFile, tokens: readonly Token[]): string {
  return tokens
    .filter((token) => !isComment(token))
    .map(({ start, end }) => file.text.slice(start, end))
    .join(" ");
}

/** SHA-256 of the tokens: blanks and comments do not count. */
export function digestOf(file: ts.SourceFile): string {
  return createHash("sha256")
    .update(normalText(file, tokensOf(file)))
    .digest("hex");
}
