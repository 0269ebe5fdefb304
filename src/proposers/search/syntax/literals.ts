import { ts } from "ts-morph";
import type { Lexeme } from "./lex.ts";
import { inserting, putting, quoted, type Faulty, type TokenEdit } from "./token-edit.ts";

const NEAR = 200;

/** Patterns and numbers near a fault that the engine does not take. */
export function* literalEdits({ at }: Faulty, tokens: readonly Lexeme[]): Generator<TokenEdit> {
  for (const token of tokens) {
    if (token.end <= at - NEAR || token.start > at + NEAR) continue;
    if (token.kind === ts.SyntaxKind.RegularExpressionLiteral) yield* patternEdits(token);
    else if (/^0\d/.test(token.text)) {
      const plain = token.text.replace(/^0+(?=\d)/, "");
      const says = `${quoted(token.text)} should be \`${plain}\``;
      yield putting([token.start, token.end], plain, 0.8, says);
    }
  }
}

/** One sign of the pattern escaped, dropped or closed; a flag dropped. */
function* patternEdits({ text, start }: Lexeme): Generator<TokenEdit> {
  const end = text.lastIndexOf("/");
  const says = (what: string): string => `in the pattern ${quoted(text)}, ${what}`;
  for (let at = 1; at < end; at += 1) {
    const sign = text[at] ?? "";
    if (!/[()[\]{}*+?|]/.test(sign) || text[at - 1] === "\\") continue;
    const place = start + at;
    yield inserting(place, "\\", 1, says(`\`${sign}\` must be written \`\\${sign}\``));
    yield putting([place, place + 1], "", 1.4, says(`\`${sign}\` is one too many`));
    for (const closing of [")", "]"]) {
      yield inserting(place + 1, closing, 1.8, says(`a \`${closing}\` is missing`));
    }
  }
  for (const closing of [")", "]", "\\"]) {
    yield inserting(start + end, closing, 1.1, says(`a \`${closing}\` is missing at the end`));
  }
  for (let at = end + 1; at < text.length; at += 1) {
    const range = [start + at, start + at + 1] as const;
    yield putting(range, "", 0.9, says(`the flag \`${text[at]}\` is one too many`));
  }
}
