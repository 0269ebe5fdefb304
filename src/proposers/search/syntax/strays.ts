import { ts } from "ts-morph";
import type { Lexed } from "./lex.ts";
import { putting, quoted, type Faulty, type TokenEdit } from "./token-edit.ts";

/** Signs that word processors and other keyboards put in the place of those of the language. */
const LOOK_ALIKE: Readonly<Record<string, string>> = {
  "“": '"',
  "”": '"',
  "„": '"',
  "«": '"',
  "»": '"',
  "‘": "'",
  "’": "'",
  "‚": "'",
  "´": "'",
  "–": "-",
  "—": "-",
  "−": "-",
  "×": "*",
  "÷": "/",
  "≤": "<=",
  "≥": ">=",
  "≠": "!==",
  "→": "=>",
  "⇒": "=>",
  "…": "...",
  "；": ";",
  "，": ",",
  "：": ":",
  "（": "(",
  "）": ")",
  "｛": "{",
  "｝": "}",
  "＝": "=",
  "！": "!",
};

/** Signs that no program has outside of texts: each for itself, and look-alikes all at once. */
export function* strayEdits({ text }: Faulty, { tokens }: Lexed): Generator<TokenEdit> {
  const strays = tokens.filter(({ kind, text: sign }) => isStray(kind, sign));
  if (strays.length > 0)
    yield* replacedAlike(
      text,
      strays.map(({ text: sign }) => sign),
    );
  for (const { start, end, text: sign } of strays) {
    yield putting([start, end], "", 0.8, `${quoted(sign)} is one too many`);
  }
}

function isStray(kind: ts.SyntaxKind, sign: string): boolean {
  return kind === ts.SyntaxKind.Unknown || sign === "#" || sign === "@" || sign === "\\";
}

function* replacedAlike(text: string, strays: readonly string[]): Generator<TokenEdit> {
  const kinds = new Set(strays.map((sign) => LOOK_ALIKE[sign]).filter((to) => to !== undefined));
  const quotes = new Set(['"', "'"]);
  const isMeant = (to: string | undefined): boolean =>
    to !== undefined && (kinds.has(to) || (quotes.has(to) && kinds.has('"')));
  const splices = [...text.matchAll(/\P{ASCII}/gu)].flatMap(({ 0: sign, index: start }) => {
    const to = LOOK_ALIKE[sign];
    return isMeant(to) ? [{ start, end: start + sign.length, text: to ?? "" }] : [];
  });
  if (splices.length === 0) return;
  const says = `${quoted(strays[0] ?? "")} only looks like \`${splices[0]?.text ?? ""}\``;
  yield { splices, cost: 0.4, says };
}
