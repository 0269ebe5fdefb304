import { lex, type Lexeme } from "../../src/proposers/search/syntax/lex.ts";

/** A kind of slip, and the text that it leaves; null where the text has no place for it. */
export type Slip = {
  readonly kind: string;
  readonly make: (text: string, below: (most: number) => number) => string | null;
};

type Draw = (most: number) => number;

/** Slips of the keyboard and of memory, each once per text: what is measured, and no more. */
export const SLIPS: readonly Slip[] = [
  slip("a bracket is missing", /^[()[\]{}]$/, () => ""),
  slip("a separator is missing", /^[,:;]$/, () => ""),
  slip("an operator is missing", /^(?:=|=>|\+|\*|&&|\|\||===|\.)$/, () => ""),
  slip("a bracket is doubled", /^[()[\]{}]$/, (text) => text + text),
  slip("a bracket is of another kind", /^[()[\]{}]$/, (text, draw) => {
    const others = "()[]{}".split("").filter((one) => one !== text);
    return others[draw(others.length)] ?? "";
  }),
  slip("a word is misspelt", /^[a-z]{5,}$/, misspelt, (token) => WORDS.has(token.text)),
  slip(
    "words run together",
    /^(?:return|const|let|new|function)$/,
    (text) => text,
    undefined,
    true,
  ),
  slip("a quote is missing", /^["'`]/, (text, draw) => {
    return draw(2) === 0 ? text.slice(1) : text.slice(0, -1);
  }),
  slip("quotes differ", /^["']/, (text) => text.slice(0, -1) + (text[0] === '"' ? "'" : '"')),
  slip("an operator is torn apart", /^(?:=>|===|!==|&&|\|\||<=|>=|\+\+)$/, (text, draw) => {
    const at = 1 + draw(text.length - 1);
    return `${text.slice(0, at)} ${text.slice(at)}`;
  }),
  slip("an operator of another language", /^(?:=>|!==|&&|\|\|)$/, (text) => OTHER[text] ?? ""),
  slip(
    "a name is missing",
    /^[a-z]\w*$/i,
    () => "",
    (token) => !WORDS.has(token.text),
  ),
  slip("a stray sign", /^[a-z]\w*$/i, (text, draw) => text + ("@#\\`"[draw(4)] ?? "")),
  slip("a doubled operator", /^(?:=|\+|\*|&&|,|=>)$/, (text) => `${text} ${text}`),
  { kind: "a name is declared twice", make: declaredTwice },
  { kind: "a comment is not closed", make: openComment },
];

const WORDS = new Set("return const function while continue break export async await".split(" "));
const OTHER: Readonly<Record<string, string>> = {
  "=>": "->",
  "!==": "<>",
  "&&": "and",
  "||": "or",
};

// oxlint-disable-next-line max-params
function slip(
  kind: string,
  pattern: RegExp,
  put: (text: string, draw: Draw) => string,
  isFit: (token: Lexeme) => boolean = () => true,
  isGlued = false,
): Slip {
  const make: Slip["make"] = (text, draw) => {
    const places = lex(text).tokens.filter((token) => pattern.test(token.text) && isFit(token));
    const token = places[draw(places.length || 1)];
    if (token === undefined) return null;
    const blank = isGlued && text[token.end] === " " ? 1 : 0;
    return text.slice(0, token.start) + put(token.text, draw) + text.slice(token.end + blank);
  };
  return { kind, make };
}

function misspelt(word: string, draw: Draw): string {
  const at = 1 + draw(word.length - 2);
  const [a, b] = [word[at] ?? "", word[at + 1] ?? ""];
  const kinds = [b + a, a, a + a + b];
  return word.slice(0, at) + (kinds[draw(3)] ?? "") + word.slice(at + 2);
}

/** A declaration stands there twice; or a second one has the name of the first. */
function declaredTwice(text: string, draw: Draw): string | null {
  const lines = [...text.matchAll(/^ {2}(?:const|let) (\w+) = .*;$/gm)];
  const [first, second] = [lines[draw(lines.length || 1)], lines[draw(lines.length || 1)]];
  if (first === undefined || second === undefined) return null;
  const line = text.slice(second.index, second.index + second[0].length);
  if (first === second) return text.replace(line, `${line}\n${line}`);
  return text.replace(line, line.replace(second[1] ?? "", first[1] ?? ""));
}

function openComment(text: string, draw: Draw): string | null {
  const breaks = [...text.matchAll(/;\n/g)].map(({ index }) => index + 2);
  const at = breaks[draw(breaks.length || 1)];
  return at === undefined ? null : `${text.slice(0, at)}  /* what follows\n${text.slice(at)}`;
}
