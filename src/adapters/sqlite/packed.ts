import { deflateSync, inflateSync } from "node:zlib";

/** Characters of JSON text above which it is stored compressed. */
const LONG = 4_096;

declare const holds: unique symbol;

/** Plain data of type T as a column holds it: JSON text, deflated when long. */
export type Packed<T> = (string | Buffer) & { readonly [holds]?: T };

/** Plain data → what a column holds. */
export function pack<T>(value: T): Packed<T> {
  const text = JSON.stringify(value);
  return text.length > LONG ? deflateSync(text, { level: 3 }) : text;
}

/** The inverse of `pack`. */
export function unpack<T>(stored: Packed<T>): T {
  return JSON.parse(typeof stored === "string" ? stored : inflateSync(stored).toString()) as T;
}
