import { isWord, type Lexeme } from "./lex.ts";
import { inserting, putting, quoted, type Faulty, type TokenEdit } from "./token-edit.ts";

/** Tokens that may be missing, by how unlikely that is. */
const MISSING: readonly (readonly [number, string])[] = [
  [1, ") } , ;"],
  [1.3, "] : ( { =>"],
  [1.6, "= + [ return"],
  [2, ". && || === const let function async"],
  [2.4, "? - * < > else if of in !"],
  [2.8, "/ % <= >= !== ?? += ... new await case catch"],
];

/** Values that may be missing where no name will do. */
const VALUES = ["0", "1", '""', "null", "[]", "{}", "true", "false"];

/** What is written for what, one token each, by how unlikely that is. */
const MISTAKEN: readonly (readonly [number, string, string])[] = [
  [1, "=", "== === => : <= >= += -="],
  [1, ":", "= , ; ? =>"],
  [1, ";", ", : )"],
  [1, ",", "; . + : && || =>"],
  [1, "=>", ">= = : {"],
  [1, "==", "="],
  [1, "===", "="],
  [1, "->", "=>"],
  [1.2, "(", "{ ["],
  [1.2, "[", "( {"],
  [1.2, "{", "( ["],
  [1.2, ")", "} ]"],
  [1.2, "]", ") }"],
  [1.2, "}", ") ]"],
  [1.6, ".", ", ..."],
  [1.6, "of", "in ="],
  [1.6, "in", "of"],
  [1.6, "?", ": ?."],
  [2, "-", "= _ =>"],
  [2, "<", "("],
  [2, ">", ")"],
  [2, "+", "="],
  [2, "|", "||"],
  [2, "&", "&&"],
  [2, "/", "//"],
  [2, "#", "//"],
  [2, "const", "let"],
  [2, "break", "return"],
  [2, "continue", "return"],
];

const PUTS = new Map(MISTAKEN.map(([cost, from, to]) => [from, { cost, to: to.split(" ") }]));

/** Tokens looked at before the fault, behind it, and names of the text that are tried. */
export type Reach = {
  readonly before: number;
  readonly behind: number;
  readonly names: number;
  /** Edits that cost more are left out. */
  readonly most: number;
};

const FURTHER_BEFORE = 0.15;
const FURTHER_BEHIND = 0.35;

/**
 * Near a fault: one token inserted, deleted, replaced by one that it is mistaken for, or exchanged
 * with the next. A parser notices a fault at the token that is wrong or behind it, so that the
 * places before are many and those behind few.
 */
export function* singleTokens(
  { text, at, entry }: Faulty,
  tokens: readonly Lexeme[],
  reach: Reach,
): Generator<TokenEdit> {
  const faulty = tokens.findIndex(({ end }) => end > at);
  const here = faulty === -1 ? tokens.length : faulty;
  const near = namesNear(tokens, here);
  const isLost = entry !== null && !near.includes(entry);
  const names = [...(isLost ? [entry] : []), ...near].slice(0, reach.names);
  const [from, to] = [Math.max(0, here - reach.before), here + reach.behind];
  for (let gap = from; gap <= Math.min(tokens.length, to); gap += 1) {
    const further = gap <= here ? (here - gap) * FURTHER_BEFORE : (gap - here) * FURTHER_BEHIND;
    for (const edit of editsAt(gap, { text, tokens, names })) {
      const cost = edit.cost + further;
      if (cost <= reach.most) yield { ...edit, cost };
    }
  }
}

/** Names of the text, the nearest first. */
function namesNear(tokens: readonly Lexeme[], here: number): readonly string[] {
  const near = tokens
    .map((token, at) => ({ token, away: Math.abs(at - here) }))
    .filter(({ token }) => isWord(token) && !RESERVED.has(token.text))
    .toSorted((a, b) => a.away - b.away);
  return [...new Set(near.map(({ token }) => token.text))];
}

/** Words that are no names (ECMA-262, 12.7.2). */
export const RESERVED: ReadonlySet<string> = new Set(
  (
    "await break case catch class const continue debugger default delete do else enum export " +
    "extends false finally for function if import in instanceof new null return super switch this " +
    "throw true try typeof var void while with yield let static implements interface package " +
    "private protected public"
  ).split(" "),
);

type Around = {
  readonly text: string;
  readonly tokens: readonly Lexeme[];
  readonly names: readonly string[];
};

function* editsAt(gap: number, around: Around): Generator<TokenEdit> {
  const { text, tokens, names } = around;
  for (const [cost, some] of MISSING) {
    for (const code of some.split(" ")) yield insertion(gap, code, { cost, around });
  }
  for (const [rank, name] of names.entries()) {
    yield insertion(gap, name, { cost: 2.6 + rank * 0.05, around });
  }
  for (const value of names.length > 0 ? VALUES : []) {
    yield insertion(gap, value, { cost: 3, around });
  }
  const token = tokens[gap];
  if (token === undefined) return;
  const range = [token.start, token.end] as const;
  yield putting(range, "", 1.9, `${quoted(token.text)} is one too many`);
  const known = PUTS.get(token.text);
  for (const to of known?.to ?? []) {
    yield putting(range, to, known?.cost ?? 0, `${quoted(token.text)} should be \`${to}\``);
  }
  if (isWord(token)) {
    for (const [rank, name] of names.entries()) {
      if (name === token.text) continue;
      const says = `${quoted(token.text)} should be \`${name}\``;
      yield putting(range, name, 3 + rank * 0.05, says);
    }
  }
  const next = tokens[gap + 1];
  if (next !== undefined) yield exchange(text, token, next);
}

/** What closes or separates stands right behind what is before it; all else before what follows. */
function insertion(
  gap: number,
  code: string,
  { cost, around: { text, tokens } }: { readonly cost: number; readonly around: Around },
): TokenEdit {
  const [before, after] = [tokens[gap - 1], tokens[gap]];
  const isBehind = /^[)\]},;:]$|^\.$/.test(code);
  if (before !== undefined && (isBehind || after === undefined)) {
    const made = after?.start === before.end && /[,;:]/.test(code) ? `${code} ` : code;
    const told = isBehind ? made : ` ${made}`;
    return inserting(
      before.end,
      told,
      cost,
      `a \`${code}\` is missing after ${quoted(before.text)}`,
    );
  }
  const at = after?.start ?? text.length;
  const made = /^[([!.]+$/.test(code) ? code : `${code} `;
  const told = before?.end === at ? ` ${made}` : made;
  const where = after === undefined ? "at the end" : `before ${quoted(after.text)}`;
  return inserting(at, told, cost, `a \`${code}\` is missing ${where}`);
}

function exchange(text: string, first: Lexeme, second: Lexeme): TokenEdit {
  const between = text.slice(first.end, second.start);
  return {
    splices: [
      { start: first.start, end: second.end, text: `${second.text}${between}${first.text}` },
    ],
    cost: 2.2,
    says: `${quoted(first.text)} and ${quoted(second.text)} are exchanged`,
  };
}
