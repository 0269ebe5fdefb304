import type { Lexed } from "./lex.ts";
import { inserting, putting, type Faulty, type TokenEdit } from "./token-edit.ts";

/** Lines up to which a comment may reach. */
const MOST_LINES = 30;

/** Comments that do not close, do not open, or are written as in other languages. */
export function* commentEdits({ text, at }: Faulty, { comments }: Lexed): Generator<TokenEdit> {
  const open = comments.find(({ isCutOff }) => isCutOff);
  if (open !== undefined) yield* closing(text, open.start);
  const strayAt = strayEnd(text, at);
  if (strayAt !== -1) yield* opening(text, strayAt);
  yield* lineComments(text, at);
}

/** `/*` without its end: it ends with its line, or a line further down. */
function* closing(text: string, start: number): Generator<TokenEdit> {
  const says = "a comment is not closed: `*/` is missing";
  let end = start;
  for (let lines = 0; lines < MOST_LINES && end < text.length; lines += 1) {
    end = endOfLine(text, end + Number(lines > 0));
    const isLast = !/^\s*\*/.test(text.slice(end + 1));
    yield inserting(end, " */", isLast ? 0.6 : 1.5, says);
  }
  yield putting([start, start + 2], "//", 1, "`/*` should be `//`");
  yield putting([start, start + 2], "", 1.8, "`/*` is one too many");
}

function strayEnd(text: string, at: number): number {
  const near = text.indexOf("*/", Math.max(0, at - 1));
  return near !== -1 && near - at < 400 ? near : text.lastIndexOf("*/", at);
}

/** A comment's end without its beginning: it begins with this line, or a line further up. */
function* opening(text: string, stray: number): Generator<TokenEdit> {
  const says = "a comment is not opened: `/*` is missing";
  let start = stray;
  for (let lines = 0; lines < MOST_LINES && start >= 0; lines += 1) {
    start = text.lastIndexOf("\n", start - 1) + 1;
    const blanks = /^[ \t]*/.exec(text.slice(start))?.[0].length ?? 0;
    const isStarred = text[start + blanks] === "*";
    const before = text.slice(0, start).trimEnd();
    const isFirst = isStarred && !/(?:^|\n)[ \t]*\*[^\n]*$/.test(before);
    yield inserting(start + blanks, isStarred ? "/*" : "/* ", isFirst ? 0.6 : 1.6, says);
    if (start === 0) break;
    start -= 1;
  }
  yield putting([stray, stray + 2], "", 1.6, "`*/` is one too many");
}

const LINES_AROUND = 2;

/** A line that begins as comments do elsewhere, or that is no code but words. */
function* lineComments(text: string, at: number): Generator<TokenEdit> {
  let start = at;
  for (let up = 0; up <= LINES_AROUND; up += 1) {
    start = text.lastIndexOf("\n", start - 1) + 1;
    const line = text.slice(start, endOfLine(text, start));
    const found = /(?:^|\s)(#+|--+|<!--|\/(?!\/)|%|;|\\\\)(?=\s|[A-Za-z])/.exec(line);
    if (found !== null) {
      const from = start + found.index + found[0].length - (found[1]?.length ?? 0);
      const cost = found.index === 0 || line.slice(0, found.index).trim() === "" ? 0.7 : 1.2;
      const says = `a comment begins with \`//\``;
      yield putting([from, from + (found[1]?.length ?? 0)], "//", cost, says);
    }
    const blanks = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (/^\s*\*?\s*\p{L}+(?:[\s,]+\p{L}+){2,}[^;{}()=]*$/u.test(line)) {
      yield inserting(start + blanks, "// ", 1, "a line of words should be a comment");
    }
    if (start === 0) return;
    start -= 1;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  const whole = end === -1 ? text.length : end;
  return text[whole - 1] === "\r" ? whole - 1 : whole;
}
