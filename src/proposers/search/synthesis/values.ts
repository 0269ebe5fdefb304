import type { Json } from "../../../domain/json.ts";

/** A value that an expression had in a run, as far as it is data. */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | string
  | readonly Value[]
  | { readonly [key: string]: Value };

export type ValueKind = "undefined" | "null" | "boolean" | "number" | "string" | "array" | "object";

/** What is no data: a function, a value that is too large, an expression that threw. */
export const NO_VALUE = Symbol("no value");

/** Longest text and list that are looked at; what is larger is no value here. */
const LONGEST_TEXT = 400;
const LONGEST_LIST = 120;

/** The kind of a value. */
export function valueKindOf(value: Value): ValueKind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as Exclude<ValueKind, "null" | "array">;
}

/** Whether a value is small enough to be looked at. */
export function isSmall(value: Value): boolean {
  if (typeof value === "string") return value.length <= LONGEST_TEXT;
  return !Array.isArray(value) || value.length <= LONGEST_LIST;
}

/** A text that two values share exactly when nothing in the language's data tells them apart. */
export function keyOfValue(value: Value): string {
  if (typeof value === "string") return `s${value}`;
  if (typeof value === "number") return `n${Object.is(value, -0) ? "0" : String(value)}`;
  if (typeof value === "boolean") return value ? "t" : "f";
  if (value === undefined || value === null) return String(value);
  return Array.isArray(value)
    ? `[${(value as readonly Value[]).map((one) => sized(keyOfValue(one))).join("")}`
    : `{${membersOf(value as { readonly [key: string]: Value })}`;
}

function membersOf(value: { readonly [key: string]: Value }): string {
  return Object.keys(value)
    .toSorted()
    .map((key) => sized(key) + sized(keyOfValue(value[key])))
    .join("");
}

/** With its length before it, so that no two lists of texts are the same text. */
function sized(text: string): string {
  return `${text.length}:${text}`;
}

/**
 * Reads what the recorder wrote (see `recorder.ts`): plain values as they are, an object as
 * `{o: [[key, value], ...]}`, undefined as `{u: 0}`, a number that JSON has not as `{n: text}`.
 * Anything else is no value: what a guest says is not trusted to have any form.
 */
export function decoded(written: Json | undefined): Value | typeof NO_VALUE {
  if (written === null || typeof written === "boolean" || typeof written === "number") {
    return written;
  }
  if (typeof written === "string") return written.length <= LONGEST_TEXT ? written : NO_VALUE;
  if (written === undefined) return NO_VALUE;
  if (Array.isArray(written)) return decodedList(written as readonly Json[]);
  const { o: members, u: missing, n: number } = written as { readonly [key: string]: Json };
  if (missing === 0) return undefined;
  if (typeof number === "string") return Number(number);
  return Array.isArray(members) ? decodedObject(members as readonly Json[]) : NO_VALUE;
}

function decodedList(written: readonly Json[]): Value | typeof NO_VALUE {
  if (written.length > LONGEST_LIST) return NO_VALUE;
  const items = written.map((one) => decoded(one));
  return items.includes(NO_VALUE) ? NO_VALUE : (items as Value[]);
}

function decodedObject(members: readonly Json[]): Value | typeof NO_VALUE {
  const made: { [key: string]: Value } = {};
  for (const member of members) {
    if (!Array.isArray(member)) return NO_VALUE;
    const [key, written] = member as readonly Json[];
    const value = decoded(written);
    if (typeof key !== "string" || value === NO_VALUE) return NO_VALUE;
    Object.defineProperty(made, key, { value, enumerable: true });
  }
  return made;
}

/** A value of a case as the recorder reads and writes values. */
export function encoded(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(encoded);
  if (typeof value !== "object" || value === null) return value;
  return { o: Object.entries(value).map(([key, one]) => [key, encoded(one)]) };
}
