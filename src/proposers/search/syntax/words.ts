import { isWord, type Lexeme } from "./lex.ts";
import { RESERVED } from "./single-tokens.ts";
import { inserting, putting, quoted, type Faulty, type TokenEdit } from "./token-edit.ts";

/** Words that are looked for in what is misspelt. */
const WORDS = [...RESERVED, "async", "of", "undefined", "get", "set"].filter(
  (word) => word.length > 1,
);

/** Words of other languages, and what they are here. */
const FOREIGN: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...["elif", "elsif", "elseif"].map((word) => [word, ["else if"]] as const),
  ...["def", "func", "fn", "fun", "sub"].map((word) => [word, ["function"]] as const),
  ...["int", "float", "double", "string", "bool", "auto"].map((word) => [word, ["let"]] as const),
  ["and", ["&&"]],
  ["or", ["||"]],
  ["not", ["!"]],
  ["foreach", ["for"]],
  ["then", ["", "{"]],
  ["begin", ["{"]],
  ["end", ["}"]],
  ["is", ["==="]],
  ["val", ["const"]],
  ["mut", [""]],
  ["raise", ["throw"]],
  ["except", ["catch"]],
  ["mod", ["%"]],
]);

const BEFORE = 10;
const BEHIND = 4;

/** Words near a fault that are misspelt, run together, torn apart, or of another language. */
export function* wordEdits({ at }: Faulty, tokens: readonly Lexeme[]): Generator<TokenEdit> {
  const faulty = tokens.findIndex(({ end }) => end > at);
  const here = faulty === -1 ? tokens.length : faulty;
  for (let index = Math.max(0, here - BEFORE); index <= here + BEHIND; index += 1) {
    const token = tokens[index];
    if (token === undefined) return;
    if (!isWord(token)) continue;
    yield* spellings(token);
    yield* partings(token);
    yield* callsWithin(token, tokens);
    const next = tokens[index + 1];
    if (next !== undefined && isWord(next)) yield* joined(token, next);
    if (RESERVED.has(token.text)) yield renamed(token, tokens);
  }
}

function* spellings(token: Lexeme): Generator<TokenEdit> {
  const { text } = token;
  for (const word of FOREIGN.get(text) ?? []) yield misspelt(token, word, 0.6);
  if (RESERVED.has(text)) return;
  for (const word of WORDS) {
    const away = distance(text.toLowerCase(), word);
    const most = Math.min(text.length, word.length) >= 5 ? 2 : word.length > 2 ? 1 : 0;
    if (text !== word && away <= most) yield misspelt(token, word, 0.3 + 0.3 * away);
    else if (word.length === 2 && text === word.split("").toReversed().join("")) {
      yield misspelt(token, word, 0.9);
    }
  }
}

function misspelt({ start, end, text }: Lexeme, word: string, cost: number): TokenEdit {
  const says =
    word === "" ? `${quoted(text)} is one too many` : `${quoted(text)} should be \`${word}\``;
  return putting([start, end], word, cost, says);
}

/** `returnvalue`, `elseif`: a word of the language with what it was run together with. */
function* partings(token: Lexeme): Generator<TokenEdit> {
  for (const word of WORDS) {
    if (token.text.length <= word.length || RESERVED.has(token.text)) continue;
    if (token.text.startsWith(word)) {
      yield misspelt(token, `${word} ${token.text.slice(word.length)}`, 1.1);
    }
    if (token.text.endsWith(word)) {
      yield misspelt(token, `${token.text.slice(0, -word.length)} ${word}`, 1.6);
    }
  }
}

/** `hasitem`, where `item` is a name: what stood between two names is missing. */
function* callsWithin(token: Lexeme, tokens: readonly Lexeme[]): Generator<TokenEdit> {
  const names = new Set(tokens.filter((other) => other !== token && isWord(other)).map(textOf));
  for (const name of names) {
    if (token.text.length <= name.length || !token.text.endsWith(name)) continue;
    const at = token.end - name.length;
    for (const sign of ["(", ".", "["]) {
      const says = `a \`${sign}\` is missing in ${quoted(token.text)} before \`${name}\``;
      yield inserting(at, sign, name.length > 1 ? 1 : 1.6, says);
    }
  }
}

function textOf({ text }: Lexeme): string {
  return text;
}

/** `re turn`: a word torn apart. */
function* joined(first: Lexeme, second: Lexeme): Generator<TokenEdit> {
  const whole = first.text + second.text;
  if (!WORDS.includes(whole)) return;
  const says = `${quoted(`${first.text} ${second.text}`)} should be \`${whole}\``;
  yield putting([first.start, second.end], whole, 0.7, says);
}

/** A name that the language keeps for itself, changed wherever it stands for a value. */
function renamed(token: Lexeme, tokens: readonly Lexeme[]): TokenEdit {
  const { text } = token;
  const same = tokens.filter(
    (other, at) => other.text === text && !/^\??\.$/.test(tokens[at - 1]?.text ?? ""),
  );
  return {
    splices: same.map(({ start, end }) => ({ start, end, text: `${text}_` })),
    cost: 1.8 + 0.1 * same.length,
    says: `\`${text}\` is reserved and cannot be a name`,
  };
}

/**
 * Edits between two words, where exchanging two neighbours is one: the optimal string alignment
 * distance (Damerau, CACM 1964).
 */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const [up, left] = [rows[i - 1]?.[j] ?? 0, row[j - 1] ?? 0];
      const across = (rows[i - 1]?.[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchanged ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min(up + 1, left + 1, across, exchanged));
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? Infinity;
}
