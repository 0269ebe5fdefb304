import type { SecretHeader } from "./secret-headers.ts";
import { type Decoded, unescaped } from "./unescaped.ts";

/** What to look for in a text that may tell a secret. */
export type SecretForms = {
  readonly name: string;
  /** Texts that tell it, in lower case: a server that changes the case tells most of it. */
  readonly plain: readonly string[];
  /** The same in base64 (RFC 4648, 4), wherever they stand in what was encoded. */
  readonly base64: readonly string[];
  /** The same in hex. */
  readonly hex: RegExp;
};

/** Levels of escapes that are read in a text: a URL in a JSON text in a page, and one more. */
export const MOST_LEVELS = 4;

/** The forms of a secret that has a value. */
export function formsOf({ name, value, as }: SecretHeader): SecretForms | null {
  if (value === null) return null;
  const texts = longEnough([value, ...insideOf(value)]);
  const written = texts.flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    new URLSearchParams({ v: text }).toString().slice(2),
  ]);
  // The blanks around a header's text move its base64, and only there.
  const whole = as.replace("{}", () => value);
  return {
    name,
    plain: longEnough(written.flatMap(levelsOf).map(folded)),
    base64: longEnough([...new Set([...written, whole])].flatMap(base64Of)),
    hex: new RegExp([...new Set(written)].map(hexPattern).join("|"), "gi"),
  };
}

/** A text in which letters have one case; as long as it was. */
export function folded(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A text in which base64 has one alphabet; as long as it was. */
export function standardBase64(text: string): string {
  return text.replaceAll("-", "+").replaceAll("_", "/");
}

/** Shorter forms than any value would be taken out of ordinary texts. */
const LEAST_LENGTH = 8;

function longEnough(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text.length >= LEAST_LENGTH);
}

/** What a credential in base64 (RFC 7617) holds: a server may tell it decoded, and in its two parts. */
function insideOf(value: string): string[] {
  const encoded = value.split(" ").at(-1) ?? "";
  if (!/^[\w+/-]{12,}={0,2}$/.test(encoded)) return [];
  const inside = Buffer.from(encoded, "base64").toString("latin1");
  if (!/^[\x20-\x7e]+$/.test(inside)) return [];
  return [inside, inside.slice(inside.indexOf(":") + 1)];
}

/** A value may look escaped itself: what decoding the text around it makes of it. */
function levelsOf(value: string): string[] {
  const levels: string[] = [];
  let decoded: Decoded | null = { text: value, places: null };
  for (let level = 0; level <= MOST_LEVELS && decoded !== null; level += 1) {
    levels.push(decoded.text);
    decoded = unescaped(decoded);
  }
  return levels;
}

/** Base64 of a text, and what of it is the same wherever the text stands in a longer one. */
function base64Of(value: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from("\0".repeat(before) + value).toString("base64");
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + value.length) * 8) / 6);
    return encoded.slice(first, last);
  });
}

/** The bytes of a text in hex, with whatever commonly stands between two. */
function hexPattern(text: string): string {
  const pairs = [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, "0"));
  return pairs.join(String.raw`[\s:,-]{0,2}(?:0x)?`);
}
