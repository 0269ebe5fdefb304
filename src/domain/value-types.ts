import type { Json, JsonObject } from "./json.ts";

/**
 * The narrowest plain TypeScript type that all of these values have: no literals, no tuples. Objects
 * become one shape whose members are optional where a value lacks them.
 */
export function typeOfValues(values: readonly Json[]): string {
  const kinds = Map.groupBy(values, kindOf);
  const types = [...kinds].map(([kind, some]) => {
    if (kind === "array") return arrayType(some as readonly (readonly Json[])[]);
    return kind === "object" ? objectType(some as readonly JsonObject[]) : kind;
  });
  // `null` last, as people write it.
  const sorted = types.toSorted((a, b) => Number(a === "null") - Number(b === "null"));
  return sorted.length === 0 ? "unknown" : sorted.join(" | ");
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

function arrayType(lists: readonly (readonly Json[])[]): string {
  const element = typeOfValues(lists.flat());
  return element.includes(" | ") ? `(${element})[]` : `${element}[]`;
}

/** More members than this are keys of a table rather than names of parts. */
const MOST_MEMBERS = 16;

function objectType(objects: readonly JsonObject[]): string {
  const names = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  const isShared = names.some((name) => objects.every((one) => Object.hasOwn(one, name)));
  if (names.length === 0 || names.length > MOST_MEMBERS || !isShared) {
    return `Record<string, ${typeOfValues(objects.flatMap((one) => Object.values(one)))}>`;
  }
  const members = names.map((name) => {
    const there = objects.flatMap((one) => (Object.hasOwn(one, name) ? [one[name] as Json] : []));
    const mark = there.length < objects.length ? "?" : "";
    return `${isIdentifier(name) ? name : JSON.stringify(name)}${mark}: ${typeOfValues(there)}`;
  });
  return `{ ${members.join("; ")} }`;
}

/** Whether a text can stand as a plain name. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && text !== "__proto__";
}
