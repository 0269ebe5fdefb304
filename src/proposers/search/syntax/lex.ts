import { ts } from "ts-morph";

const { SyntaxKind } = ts;

/** A token of a text that need not parse, as offsets. */
export type Lexeme = {
  readonly kind: ts.SyntaxKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** A literal or a comment that the end of its line, or of the text, cuts off. */
  readonly isCutOff: boolean;
};

export type Lexed = { readonly tokens: readonly Lexeme[]; readonly comments: readonly Lexeme[] };

/** After these a slash divides; after all others it opens a pattern (ECMA-262, 12.1). */
const ENDS_OPERAND: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.SuperKeyword,
  SyntaxKind.TrueKeyword,
  SyntaxKind.FalseKeyword,
  SyntaxKind.NullKeyword,
  SyntaxKind.PlusPlusToken,
  SyntaxKind.MinusMinusToken,
]);

/** The tokens of a text without a parser: patterns and template parts are told by what is before. */
export function lex(text: string): Lexed {
  const scanner = ts.createScanner(
    ts.ScriptTarget.Latest,
    false,
    ts.LanguageVariant.Standard,
    text,
  );
  const tokens: Lexeme[] = [];
  const comments: Lexeme[] = [];
  const braces: ("block" | "template")[] = [];
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    const start = scanner.getTokenStart();
    const read = rescanned(kind, scanner, { before: tokens.at(-1), braces });
    if (isBlank(read)) continue;
    const end = scanner.getTokenEnd();
    const token = { kind: read, text: text.slice(start, end), start, end };
    const whole = { ...token, isCutOff: scanner.isUnterminated() };
    (isComment(read) ? comments : tokens).push(whole);
  }
  return { tokens, comments };
}

function rescanned(
  kind: ts.SyntaxKind,
  scanner: ts.Scanner,
  { before, braces }: { readonly before: Lexeme | undefined; readonly braces: string[] },
): ts.SyntaxKind {
  if (kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken) {
    const divides = before !== undefined && ENDS_OPERAND.has(before.kind);
    return divides ? kind : patternAt(scanner, kind);
  }
  if (kind === SyntaxKind.TemplateHead) braces.push("template");
  if (kind === SyntaxKind.OpenBraceToken) braces.push("block");
  if (kind !== SyntaxKind.CloseBraceToken) return kind;
  if (braces.at(-1) !== "template") {
    braces.pop();
    return kind;
  }
  const part = scanner.reScanTemplateToken(false);
  if (part === SyntaxKind.TemplateTail) braces.pop();
  return part;
}

/** A pattern, if one ends on this line; else the slash. */
function patternAt(scanner: ts.Scanner, slash: ts.SyntaxKind): ts.SyntaxKind {
  const end = scanner.getTokenEnd();
  const kind = scanner.reScanSlashToken();
  if (kind === SyntaxKind.RegularExpressionLiteral && !scanner.isUnterminated()) return kind;
  scanner.resetTokenState(end);
  return slash;
}

function isBlank(kind: ts.SyntaxKind): boolean {
  return kind === SyntaxKind.WhitespaceTrivia || kind === SyntaxKind.NewLineTrivia;
}

function isComment(kind: ts.SyntaxKind): boolean {
  return kind === SyntaxKind.SingleLineCommentTrivia || kind === SyntaxKind.MultiLineCommentTrivia;
}

/** Whether a token is a name or a word of the language. */
export function isWord({ text }: Lexeme): boolean {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(text);
}
