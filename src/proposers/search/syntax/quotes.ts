import { ts } from "ts-morph";
import type { Lexeme } from "./lex.ts";
import { inserting, putting, quoted, type Faulty, type TokenEdit } from "./token-edit.ts";

const QUOTES = ['"', "'", "`"];

/** Lines that a text in quotes may run over by mistake. */
const MOST_LINES = 12;

/** Lines before the fault that are looked at. */
const LINES_BEFORE = 2;

/** Quotes on the lines near a fault that are missing, one too many, of the wrong kind, or unescaped. */
export function* quoteEdits({ text, at }: Faulty, tokens: readonly Lexeme[]): Generator<TokenEdit> {
  const cutOff = tokens.find(({ isCutOff }) => isCutOff);
  const starts = new Set([lineStart(text, Math.min(at, text.length))]);
  if (cutOff !== undefined) starts.add(lineStart(text, cutOff.start));
  let first = Math.min(...starts);
  for (let up = 0; up < LINES_BEFORE && first > 0; up += 1) {
    first = lineStart(text, first - 1);
    starts.add(first);
  }
  for (const start of starts) yield* onLine(text, start);
  if (cutOff !== undefined && cutOff.kind === ts.SyntaxKind.StringLiteral) {
    yield* unlike(cutOff);
    yield* overLines(text, cutOff);
  }
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  const whole = end === -1 ? text.length : end;
  return text[whole - 1] === "\r" ? whole - 1 : whole;
}

function* onLine(text: string, start: number): Generator<TokenEdit> {
  const end = lineEnd(text, start);
  const quotes = text
    .slice(start, end)
    .split("")
    .flatMap((sign, at) => (QUOTES.includes(sign) ? [{ sign, at: start + at }] : []));
  if (quotes.length === 0) return;
  const kinds = new Set(quotes.map(({ sign }) => sign));
  for (const sign of kinds) {
    for (const place of placesFor(text, start, end)) {
      const cost = place.isLikely ? 0.8 : 1.5;
      yield inserting(place.at, sign, cost, `a ${told(sign)} is missing`);
    }
    const same = quotes.filter((quote) => quote.sign === sign);
    yield* outerChanged(same.map((quote) => quote.at));
  }
  for (const { sign, at } of quotes) {
    yield putting([at, at + 1], "", 1.6, `a ${told(sign)} is one too many`);
    yield inserting(at, "\\", 1.3, `a ${told(sign)} inside a text must be written \`\\${sign}\``);
    for (const other of QUOTES.filter((one) => one !== sign && kinds.has(one))) {
      yield putting([at, at + 1], other, 1, `a text opens and closes with different quotes`);
    }
  }
}

/** Where a quote may be missing: next to signs and blanks, the end of the line's code first. */
function placesFor(
  text: string,
  start: number,
  end: number,
): readonly { readonly at: number; readonly isLikely: boolean }[] {
  const line = text.slice(start, end);
  const tail = line.length - (/[\s)\]};,]*$/.exec(line)?.[0].length ?? 0);
  const places: { at: number; isLikely: boolean }[] = [];
  for (let at = 1; at <= line.length; at += 1) {
    const isEdge =
      /[\s()[\]{},;:+=?.]/.test(line[at] ?? " ") || /[\s()[\]{},:+=?]/.test(line[at - 1] ?? "");
    if (isEdge) places.push({ at: start + at, isLikely: at >= tail });
  }
  return places;
}

/** `'it's'`: quotes around that also stand inside become quotes of another kind. */
function* outerChanged(places: readonly number[]): Generator<TokenEdit> {
  if (places.length < 3) return;
  for (let from = 0; from + 2 < places.length; from += 1) {
    const [opening, closing] = [places[from], places[from + 2]];
    if (opening === undefined || closing === undefined) continue;
    yield {
      splices: [opening, closing].map((at) => ({ start: at, end: at + 1, text: '"' })),
      cost: 1.2,
      says: "a text has its own kind of quote inside",
    };
  }
}

/** `"abc'`: a text that opens with one quote and may close with another. */
function* unlike({ text, start }: Lexeme): Generator<TokenEdit> {
  const [quote = ""] = text;
  for (const other of QUOTES.filter((one) => one !== quote)) {
    const at = text.indexOf(other);
    if (at === -1 || text.indexOf(other, at + 1) !== -1) continue;
    const says = "a text opens and closes with different quotes";
    yield putting([start + at, start + at + 1], quote, 0.6, says);
    yield putting([start, start + 1], other, 0.7, says);
  }
}

/** A text in quotes that goes on behind its line is a template, or lacks a backslash. */
function* overLines(text: string, { start }: Lexeme): Generator<TokenEdit> {
  const quote = text[start] ?? "";
  let closing = text.indexOf(quote, start + 1);
  for (let tries = 0; tries < 3 && closing !== -1; tries += 1) {
    const within = text.slice(start, closing);
    if (within.split("\n").length > MOST_LINES) return;
    if (within.includes("\n")) {
      yield {
        splices: [start, closing].map((at) => ({ start: at, end: at + 1, text: "`" })),
        cost: 1.4,
        says: `a text in ${told(quote)} goes on behind its line`,
      };
    }
    closing = text.indexOf(quote, closing + 1);
  }
}

function told(sign: string): string {
  return sign === "`" ? "backtick" : `quote ${quoted(sign)}`;
}
