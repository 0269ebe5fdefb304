import type { Lexeme } from "./lex.ts";
import { putting, quoted, type Faulty, type TokenEdit } from "./token-edit.ts";

/** Operators of more than one character that may have been torn apart. */
const WHOLE = new Set(
  (
    "=> == === != !== <= >= && || ?? ?. ++ -- += -= *= /= %= ** ... &&= ||= ??= << >> >>> **= " +
    "<<= >>= >>>= |= &= ^="
  ).split(" "),
);

/** Runs of characters that are no operators, and what they are likely to be. */
const LIKELY: Readonly<Record<string, readonly string[]>> = {
  "->": ["=>"],
  "-->": ["=>"],
  "==>": ["=>"],
  "=>>": ["=>"],
  "=<": ["<="],
  "=>=": [">=", "=>"],
  "<>": ["!==", "!="],
  "=!": ["!=", "!=="],
  "==!": ["!=="],
  "=!=": ["!=="],
  "!====": ["!=="],
  "====": ["==="],
  "!===": ["!=="],
  ":=": ["="],
  "=:": ["="],
  "::": [":"],
  "&&&": ["&&"],
  "|||": ["||"],
  "+++": ["++", "+"],
  "=+=": ["+="],
  "..": [".", "..."],
  "....": ["..."],
  ",,": [","],
  ",;": [";", ","],
  ";,": [";", ","],
  "..,": ["..."],
  "=;": ["="],
  ":;": [":", ";"],
  "?:": ["?."],
  "^=": ["!="],
  "~=": ["!="],
  "<=>": ["==="],
  "===!": ["!=="],
};

const BEFORE = 8;
const BEHIND = 5;
const LONGEST = 4;

/** Runs of signs near a fault: operators torn apart by blanks, and signs that are no operator. */
export function* operatorRuns({ at }: Faulty, tokens: readonly Lexeme[]): Generator<TokenEdit> {
  const faulty = tokens.findIndex(({ end }) => end > at);
  const here = faulty === -1 ? tokens.length : faulty;
  for (let from = Math.max(0, here - BEFORE); from <= here + BEHIND; from += 1) {
    for (let length = 1; length <= LONGEST; length += 1) {
      const run = tokens.slice(from, from + length);
      const [first, last] = [run[0], run.at(-1)];
      if (first === undefined || last === undefined || run.length < length) break;
      const signs = run.map(({ text }) => text).join("");
      if (!/^[-=<>!&|?+*/%.:;,^~]+$/.test(signs)) break;
      const range = [first.start, last.end] as const;
      const written = quoted(run.map(({ text }) => text).join(" "));
      if (length > 1 && WHOLE.has(signs)) {
        yield putting(range, signs, 0.6, `${written} should be \`${signs}\``);
      }
      for (const sign of LIKELY[signs] ?? []) {
        yield putting(range, sign, 0.7, `${quoted(signs)} should be \`${sign}\``);
      }
    }
  }
}
