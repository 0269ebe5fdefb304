import { createHash } from "node:crypto";
import { Script } from "node:vm";
import { ts } from "ts-morph";
import { fileOf, type Language, type Program } from "../domain/skill.ts";
import type { Finding } from "../ports/editor.ts";

/** The syntax tree of a text; offsets count UTF-16 units of the text as it is, BOM included. */
export function parse(text: string, language: Language): ts.SourceFile {
  const kind = language === "js" ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  return ts.createSourceFile(fileOf({ language }), text, ts.ScriptTarget.Latest, true, kind);
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

/** What the parser of TypeScript has against a text, in the order in which it met it. */
export function parserFaults(file: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  const { parseDiagnostics } = file as ts.SourceFile & {
    readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[];
  };
  return parseDiagnostics;
}

/** The same as findings. */
export function syntaxFindings(file: ts.SourceFile): Finding[] {
  return parserFaults(file).map(({ start, messageText }) => ({
    line: lineOf(file, start),
    message: ts.flattenDiagnosticMessageText(messageText, " "),
  }));
}

/**
 * What the engine has against a program: early errors that no parser of TypeScript reports, such
 * as a name declared twice or a broken pattern. The program is compiled and never run.
 */
export function engineFindings(program: Program): Finding[] {
  const fault = engineFault(program);
  return fault === null ? [] : [{ line: fault.line, message: fault.message }];
}

const STRICT = '"use strict";';

/** The first early error, by its line (from 1) and column (from 0). */
export function engineFault({
  text,
  strict,
}: Pick<Program, "text" | "strict">): (Finding & { readonly column: number }) | null {
  try {
    void new Script(strict ? STRICT + text : text, { filename: "skill.js" });
    return null;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    const { line, column } = placeInStack(thrown.stack);
    const before = strict && line === 1 ? STRICT.length : 0;
    return { line, column: Math.max(0, column - before), message: thrown.message };
  }
}

/** The head of the stack of a syntax error: `skill.js:<line>`, the line, and a mark below its place. */
export function placeInStack(stack = ""): { readonly line: number; readonly column: number } {
  const [head = "", , mark = ""] = stack.split("\n");
  const line = Number(/:(\d+)$/.exec(head)?.[1] ?? 1);
  return { line, column: Math.max(0, mark.indexOf("^")) };
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
