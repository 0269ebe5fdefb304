import type { Json } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Reply } from "./answering.ts";
import { folded, formsOf, MOST_LEVELS, type SecretForms, standardBase64 } from "./secret-forms.ts";
import type { SecretHeader } from "./secret-headers.ts";
import { endOf, type Decoded, startOf, unescaped, unwrapped } from "./unescaped.ts";

/**
 * A reply without the secrets that went out with its request: a server that echoes them, as they are
 * or as texts commonly write them, tells the skill their names. Time is linear in the reply.
 */
export function redacted(reply: Reply, secrets: readonly SecretHeader[]): Reply {
  const forms = secrets.map(formsOf).filter((one) => one !== null);
  if (forms.length === 0) return reply;
  const seek = seekerOf(forms);
  const clean = (text: string): string => without(text, seek);
  return reply.status === "resolved"
    ? { ...reply, value: cleaned(reply.value, clean) }
    : { ...reply, message: clean(reply.message), name: clean(reply.name) };
}

function cleaned(value: Json, clean: (text: string) => string): Json {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((item: Json) => cleaned(item, clean));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [clean(key), cleaned(member, clean)]),
  );
}

/** Where a text tells a secret: from here up to there, in the text as it came. */
type Place = { readonly name: string; readonly start: number; readonly end: number };

type Seek = (decoded: Decoded) => Iterable<Place>;

function without(text: string, seek: Seek): string {
  const parts: string[] = [];
  let done = 0;
  for (const { name, start, end } of placesIn(text, seek)) {
    if (start >= done) parts.push(text.slice(done, start), `[secret ${name}]`);
    done = Math.max(done, end);
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}

/** The places in order, the longer first where two begin together. */
function placesIn(text: string, seek: Seek): Place[] {
  const places: Place[] = [];
  let decoded: Decoded | null = { text, places: null };
  for (let level = 0; level <= MOST_LEVELS && decoded !== null; level += 1) {
    for (const place of seek(decoded)) places.push(place);
    decoded = unescaped(decoded);
  }
  return places.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** Looks through a text at one level, in which base64 and hex may be wrapped. */
function seekerOf(all: readonly SecretForms[]): Seek {
  return function* (decoded) {
    const plain = folded(decoded.text);
    const wrapped = [decoded, unwrapped(decoded)].filter((one) => one !== null);
    const base64 = wrapped.map((one) => [one, standardBase64(one.text)] as const);
    for (const forms of all) {
      const name = forms.name;
      for (const form of forms.plain) yield* placesOf(name, decoded, found(plain, form));
      for (const [one, text] of base64) {
        for (const form of forms.base64) yield* placesOf(name, one, found(text, form));
      }
      yield* placesOf(name, decoded, foundHex(decoded.text, forms.hex));
    }
  };
}

/** A place in a decoded text and a length. */
type Found = readonly [at: number, length: number];

function* found(text: string, form: string): Iterable<Found> {
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
    yield [at, form.length];
  }
}

function* foundHex(text: string, hex: RegExp): Iterable<Found> {
  for (const match of text.matchAll(hex)) yield [match.index, match[0].length];
}

function* placesOf(name: string, decoded: Decoded, all: Iterable<Found>): Iterable<Place> {
  for (const [at, length] of all) {
    yield { name, start: startOf(decoded, at), end: endOf(decoded, at + length - 1) };
  }
}
