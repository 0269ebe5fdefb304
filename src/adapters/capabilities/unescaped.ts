import { CHARACTER_NAMES, LONGEST_CHARACTER_NAME } from "./character-names.ts";

/** A text read out of another, and where each of its characters stands in the text it came from. */
export type Decoded = {
  readonly text: string;
  /** Null: it is that text. */
  readonly places: { readonly from: Uint32Array; readonly upTo: Uint32Array } | null;
};

/** The place in the first text at which a character begins that was decoded. */
export function startOf({ places }: Decoded, at: number): number {
  return places?.from[at] ?? at;
}

/** The place in the first text behind a character that was decoded. */
export function endOf({ places }: Decoded, at: number): number {
  return places?.upTo[at] ?? at + 1;
}

/**
 * A text with one level of escapes read, all kinds at once: of URLs (`%2f`), of JSON and its kin
 * (`\/`, `\u002f`, `\x2f`), of HTML (`&amp;`, `&#47;`, `&#x2f;`). Null where there is none. Linear.
 */
export function unescaped(decoded: Decoded): Decoded | null {
  const { text } = decoded;
  const out = new Writer(text.length);
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const found = code === PERCENT || code === BACKSLASH || code === AMPERSAND;
    const escape = found ? escapeAt(text, at) : null;
    const length = escape?.length ?? 1;
    out.put(escape?.code ?? code, startOf(decoded, at), endOf(decoded, at + length - 1));
    at += length;
  }
  return out.length === text.length ? null : out.decoded();
}

/** A text without its blanks and line breaks, as base64 and hex are wrapped. Null where it has none. */
export function unwrapped(decoded: Decoded): Decoded | null {
  const { text } = decoded;
  if (!/\s/.test(text)) return null;
  const out = new Writer(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > SPACE || code < TAB) out.put(code, startOf(decoded, at), endOf(decoded, at));
  }
  return out.decoded();
}

const [TAB, SPACE, PERCENT, AMPERSAND, HASH, SEMICOLON, BACKSLASH] = [9, 32, 37, 38, 35, 59, 92];

class Writer {
  readonly #codes: Uint16Array;
  readonly #from: Uint32Array;
  readonly #upTo: Uint32Array;
  length = 0;

  constructor(most: number) {
    this.#codes = new Uint16Array(most);
    this.#from = new Uint32Array(most);
    this.#upTo = new Uint32Array(most);
  }

  put(code: number, from: number, upTo: number): void {
    this.#codes[this.length] = code;
    this.#from[this.length] = from;
    this.#upTo[this.length] = upTo;
    this.length += 1;
  }

  decoded(): Decoded {
    const bytes = Buffer.from(this.#codes.buffer, 0, this.length * 2);
    return { text: bytes.toString("utf16le"), places: { from: this.#from, upTo: this.#upTo } };
  }
}

type Escape = { readonly code: number; readonly length: number };

function escapeAt(text: string, at: number): Escape | null {
  switch (text.charCodeAt(at)) {
    case PERCENT:
      return hexAt(text, at + 1, { before: 1, digits: 2 });
    case BACKSLASH:
      return backslashAt(text, at);
    default:
      return referenceAt(text, at);
  }
}

/** RFC 8259, 7, and what JavaScript and its kin add: a punctuation mark stands for itself. */
function backslashAt(text: string, at: number): Escape | null {
  const next = text[at + 1] ?? "";
  if (next === "u") {
    if (text[at + 2] !== "{") return hexAt(text, at + 2, { before: 2, digits: 4 });
    const end = text.slice(at + 3, at + 10).indexOf("}");
    const read = end < 1 ? null : hexAt(text, at + 3, { before: 3, digits: end });
    return read && { ...read, length: read.length + 1 };
  }
  if (next === "x") return hexAt(text, at + 2, { before: 2, digits: 2 });
  const control = "\b\t\n\f\r"["btnfr".indexOf(next)];
  if (next !== "" && control !== undefined) return { code: control.charCodeAt(0), length: 2 };
  return /[!-/:-@[-`{-~]/.test(next) ? { code: next.charCodeAt(0), length: 2 } : null;
}

/** HTML, 13.5: a character reference, of which some may lack the semicolon; only those of ASCII. */
function referenceAt(text: string, at: number): Escape | null {
  if (text.charCodeAt(at + 1) === HASH) {
    const end = Math.min(text.length, at + LONGEST_NUMBER);
    const isHex = (text.charCodeAt(at + 2) | 32) === "x".charCodeAt(0);
    const start = at + (isHex ? 3 : 2);
    let code = 0;
    let now = start;
    for (; now < end; now += 1) {
      const digit = digitOf(text.charCodeAt(now));
      if (digit >= (isHex ? 16 : 10)) break;
      code = code * (isHex ? 16 : 10) + digit;
    }
    if (now === start || code > 0xffff) return null;
    return { code, length: now - at + (text.charCodeAt(now) === SEMICOLON ? 1 : 0) };
  }
  const name = /^&([A-Za-z]+);?/.exec(text.slice(at, at + LONGEST_CHARACTER_NAME + 2));
  const code = CHARACTER_NAMES.get(name?.[1] ?? "");
  return code === undefined ? null : { code, length: name?.[0].length ?? 0 };
}

/** Leading zeros are allowed, and as many as one likes: this many characters are read. */
const LONGEST_NUMBER = 16;

function hexAt(
  text: string,
  at: number,
  { before, digits }: { readonly before: number; readonly digits: number },
): Escape | null {
  let code = 0;
  for (let now = at; now < at + digits; now += 1) {
    const digit = digitOf(text.charCodeAt(now));
    if (digit > 15) return null;
    code = code * 16 + digit;
  }
  return code > 0xffff ? null : { code, length: before + digits };
}

/** The value of a hexadecimal digit, 16 where it is none. */
function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = (code | 32) - 97;
  return letter >= 0 && letter < 6 ? letter + 10 : 16;
}
