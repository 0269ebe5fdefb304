import type { Lexeme } from "./lex.ts";
import { inserting, putting, type Faulty, type TokenEdit } from "./token-edit.ts";

const PAIRS = [
  ["{", "}"],
  ["(", ")"],
  ["[", "]"],
] as const;

/** Places tried for one bracket of a whole text, at most. */
const MOST_PLACES = 240;

/** Brackets without their partner that are tried as other ones, at most. */
const MOST_MISTAKEN = 12;

/**
 * Brackets that do not come out even, wherever they are: what is missing at the end of a block is
 * noticed at the end of the file. Which place is meant shows in the indentation, which is weighed
 * by whoever reads the result.
 */
export function* bracketEdits(faulty: Faulty, tokens: readonly Lexeme[]): Generator<TokenEdit> {
  const count = (sign: string): number => tokens.filter(({ text }) => text === sign).length;
  for (const [opening, closing] of PAIRS) {
    const surplus = count(opening) - count(closing);
    if (surplus > 0) yield* missingClosing(faulty, tokens, closing);
    if (surplus < 0) yield* missingOpening(tokens, opening);
    const extra = surplus > 0 ? opening : surplus < 0 ? closing : null;
    if (extra !== null) yield* surplusOf(faulty.text, tokens, extra);
  }
  yield* mistaken(tokens);
  yield* missingPair(faulty, tokens);
}

/** Brackets without a partner, or with one of another kind, are some other bracket. */
function* mistaken(tokens: readonly Lexeme[]): Generator<TokenEdit> {
  for (const token of unmatched(tokens).slice(0, MOST_MISTAKEN)) {
    for (const sign of PAIRS.flat().filter((one) => one !== token.text)) {
      const cost = isOpening(sign) === isOpening(token.text) ? 1.1 : 1.5;
      yield putting(
        [token.start, token.end],
        sign,
        cost,
        `\`${token.text}\` should be \`${sign}\``,
      );
    }
  }
}

function isOpening(sign: string): boolean {
  return PAIRS.some(([opening]) => opening === sign);
}

/** What does not match as brackets are read from the left: both of a pair that differs. */
function unmatched(tokens: readonly Lexeme[]): readonly Lexeme[] {
  const open: Lexeme[] = [];
  const found: Lexeme[] = [];
  for (const token of tokens) {
    if (isOpening(token.text)) open.push(token);
    const opening = PAIRS.find(([, closing]) => closing === token.text)?.[0];
    if (opening === undefined) continue;
    const last = open.at(-1);
    if (last?.text === opening) open.pop();
    else found.push(...(last === undefined ? [] : [last]), token);
  }
  return [...new Set([...found, ...open.toReversed()])];
}

/** `}` on a line of its own behind any line; `)` and `]` behind any token of a line that lacks one. */
function* missingClosing(
  { text }: Faulty,
  tokens: readonly Lexeme[],
  closing: string,
): Generator<TokenEdit> {
  const missing = (code: string): string => `a \`${closing}\` is missing after ${told(code)}`;
  if (closing === "}") {
    for (const { end, indent, line } of linesOf(text).slice(0, MOST_PLACES)) {
      if (line.trim() === "") continue;
      const outer = indent.slice(0, Math.max(0, indent.length - stepOf(text)));
      for (const [before, cost] of [
        [outer, 1],
        [indent, 1.1],
      ] as const) {
        if (before === outer && outer === indent) continue;
        yield inserting(end, `${lineBreak(text)}${before}}`, cost, missing(line));
      }
      yield inserting(end, " }", 1.3, missing(line));
    }
  }
  let places = 0;
  for (const { start, end, line } of linesOf(text)) {
    const on = tokens.filter((token) => token.start >= start && token.end <= end);
    const opening = PAIRS.find(([, one]) => one === closing)?.[0] ?? "";
    const open = on.filter((token) => token.text === opening).length;
    if (open <= on.filter((token) => token.text === closing).length) continue;
    for (const token of on) {
      if ((places += 1) > MOST_PLACES) return;
      yield inserting(token.end, closing, 1.3, missing(line.slice(0, token.end - start)));
    }
  }
}

function* missingOpening(tokens: readonly Lexeme[], opening: string): Generator<TokenEdit> {
  for (const [at, token] of tokens.slice(0, MOST_PLACES * 4).entries()) {
    const next = tokens[at + 1];
    const isBlockHead = /^(?:\)|=>|else|try|do|finally|=|return)$/.test(token.text);
    if (opening === "{" && !isBlockHead) continue;
    if (opening !== "{" && !/^[\p{L}_$([{=,!?:&|+<>-]/u.test(token.text)) continue;
    const code = opening === "{" ? " {" : opening;
    const says = `a \`${opening}\` is missing after ${told(token.text)}`;
    if (next !== undefined) yield inserting(token.end, code, opening === "{" ? 1.1 : 2, says);
  }
}

/** Any of the brackets that are too many; one that stands alone goes with its line. */
function* surplusOf(text: string, tokens: readonly Lexeme[], sign: string): Generator<TokenEdit> {
  const all = tokens.filter((token) => token.text === sign).slice(-MOST_PLACES);
  for (const { start, end } of all) {
    const from = text.lastIndexOf("\n", start - 1);
    const to = text.indexOf("\n", end);
    const isAlone = text.slice(from + 1, to === -1 ? text.length : to).trim() === sign;
    const range: readonly [number, number] =
      isAlone && from !== -1 ? [from, to === -1 ? end : to] : [start, end];
    const isDoubled = text[start - 1] === sign || text[end] === sign;
    yield putting(range, "", isDoubled ? 1 : 1.4, `a \`${sign}\` is one too many`);
  }
}

/**
 * `if (a) x; y; else z`: braces around what is before an `else`; and `=> { a: 1 }`, where braces of
 * an object are taken for those of a body.
 */
function* missingPair({ at }: Faulty, tokens: readonly Lexeme[]): Generator<TokenEdit> {
  for (const [index, token] of tokens.entries()) {
    if (token.text === "else" && Math.abs(token.start - at) < 400) {
      yield* bracedBefore(tokens, index);
    }
    const next = tokens[index + 1];
    if (token.text === "=>" && next?.text === "{" && token.start <= at) {
      const closing = matching(tokens, index + 1);
      if (closing === undefined || closing.end < at) continue;
      yield {
        splices: [
          { start: next.start, end: next.start, text: "(" },
          { start: closing.end, end: closing.end, text: ")" },
        ],
        cost: 1.2,
        says: "an object that a function gives back needs parentheses",
      };
    }
  }
}

function* bracedBefore(tokens: readonly Lexeme[], index: number): Generator<TokenEdit> {
  const [last, word] = [tokens[index - 1], tokens[index]];
  for (let from = index - 1, tried = 0; from >= 0 && tried < 4; from -= 1) {
    if (tokens[from]?.text !== "if" || tokens[from + 1]?.text !== "(") continue;
    tried += 1;
    const closing = matching(tokens, from + 1);
    if (closing === undefined || last === undefined || word === undefined) continue;
    const isClosed = last.text === "}";
    yield {
      splices: [
        { start: closing.end, end: closing.end, text: " {" },
        ...(isClosed ? [] : [{ start: word.start, end: word.start, text: "} " }]),
      ],
      cost: 1 + tried * 0.3,
      says: "the statements before `else` need braces",
    };
  }
}

/** The bracket that closes the one at an index, counting its own kind. */
function matching(tokens: readonly Lexeme[], index: number): Lexeme | undefined {
  const opening = tokens[index]?.text ?? "";
  const closing = PAIRS.find(([one]) => one === opening)?.[1];
  let depth = 0;
  return tokens.slice(index).find(({ text }) => {
    if (text === opening) depth += 1;
    if (text === closing) depth -= 1;
    return depth === 0;
  });
}

type Line = {
  readonly start: number;
  readonly end: number;
  readonly line: string;
  readonly indent: string;
};

function linesOf(text: string): readonly Line[] {
  return [...text.matchAll(/[^\r\n]+/g)].map(({ 0: line, index: start }) => ({
    start,
    end: start + line.length,
    line,
    indent: /^[ \t]*/.exec(line)?.[0] ?? "",
  }));
}

/** Blanks of one level, as most of the text has it. */
function stepOf(text: string): number {
  const widths = linesOf(text).map(({ indent }) => indent.length);
  return Math.min(8, ...widths.filter((width) => width > 0));
}

function lineBreak(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function told(code: string): string {
  const line = code.trim();
  return `\`${line.length > 40 ? `...${line.slice(-37)}` : line}\``;
}
