import { ts } from "ts-morph";
import type { Finding } from "../../ports/editor.ts";
import { isComment, lineOf, type Token, tokensOf } from "../syntax.ts";

/** Controls by which a text is shown in another order than it is read (CVE-2021-42574). */
const BIDIRECTIONAL = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/;

/** Characters of no width, and letters that look like blanks. */
const INVISIBLE = /[\u00ad\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u3164\ufeff\uffa0]/;

/** Latin letters, and the Cyrillic and Greek ones that look the same (CVE-2021-42694). */
const LATIN = /[A-Za-z]/;
const LOOK_ALIKE =
  /[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0408\u03bf\u03bd\u03b1\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7]/;

/** Blanks behind which no reader looks. */
const FAR_AWAY = /\S[ \t]{160,}\S/;

/** Text that people read otherwise than the engine does, or that two parsers read in two ways. */
export function hiddenText(file: ts.SourceFile): Finding[] {
  return [...tokensOf(file).flatMap((token) => hiddenIn(token, file)), ...farAway(file)];
}

function hiddenIn(token: Token, file: ts.SourceFile): Finding[] {
  const { start, end, kind } = token;
  const text = file.text.slice(start, end);
  const found = (message: string): Finding[] => [{ line: lineOf(file, start), message }];
  if (BIDIRECTIONAL.test(text)) return found("a control character turns the reading order around");
  if (isComment(token) || kind === ts.SyntaxKind.Identifier) {
    if (INVISIBLE.test(text)) return found("an invisible character in a name or a comment");
  }
  const isMixed = LATIN.test(text) && LOOK_ALIKE.test(text);
  if (kind === ts.SyntaxKind.Identifier && isMixed) {
    return found(`the name ${text} mixes alphabets that look alike`);
  }
  const isOpening = kind === ts.SyntaxKind.LessThanToken && file.text.startsWith("<!--", start);
  const isClosing =
    kind === ts.SyntaxKind.MinusMinusToken &&
    file.text.startsWith("-->", start) &&
    /(?:^|\n)(?:\s|\/\*.*\*\/)*$/.test(file.text.slice(0, start));
  return isOpening || isClosing
    ? found("a comment in the style of HTML, which the engine skips and other parsers run")
    : [];
}

function farAway(file: ts.SourceFile): Finding[] {
  return file.text.split("\n").flatMap((line, at) => {
    return FAR_AWAY.test(line)
      ? [{ line: at + 1, message: "code behind a long row of blanks" }]
      : [];
  });
}
