import type { Json, JsonObject } from "./json.ts";

/**
 * The narrowest plain TypeScript type that all of these values have: no literals, no tuples. Objects
 * become one shape whose members are optional where a value lacks them. Hidden values have it too,
 * but it names no member that only they have: there it is as wide as it must be.
 */
export function typeOfValues(values: readonly Json[], hidden: readonly Json[] = []): string {
  if (values.length === 0) return "unknown";
  const shown = Map.groupBy(values, kindOf);
  const others = Map.groupBy(hidden, kindOf);
  const types = [...shown].map(([kind, some]) => {
    const rest = others.get(kind) ?? [];
    if (kind === "array") return arrayType(some as Lists, rest as Lists);
    return kind === "object" ? objectType(some as Objects, rest as Objects) : kind;
  });
  const wider = [...others.keys()].filter((kind) => !shown.has(kind)).map((kind) => anyOf(kind));
  // `null` last, as people write it.
  const sorted = [...types, ...wider].toSorted(
    (a, b) => Number(a === "null") - Number(b === "null"),
  );
  return sorted.join(" | ");
}

type Lists = readonly (readonly Json[])[];
type Objects = readonly JsonObject[];

/** The widest type of one kind. */
function anyOf(kind: string): string {
  if (kind === "array") return "unknown[]";
  return kind === "object" ? "Record<string, unknown>" : kind;
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

function arrayType(lists: Lists, hidden: Lists): string {
  const element = typeOfValues(lists.flat(), hidden.flat());
  return element.includes(" | ") ? `(${element})[]` : `${element}[]`;
}

/** More members than this are keys of a table rather than names of parts. */
const MOST_MEMBERS = 16;

function objectType(objects: Objects, hidden: Objects): string {
  const names = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  const isShared = names.some((name) => objects.every((one) => Object.hasOwn(one, name)));
  if (names.length === 0 || names.length > MOST_MEMBERS || !isShared) {
    return `Record<string, ${typeOfValues(valuesOf(objects), valuesOf(hidden))}>`;
  }
  const members = names.map((name) => {
    const [there, elsewhere] = [membersOf(objects, name), membersOf(hidden, name)];
    const isAlways = there.length === objects.length && elsewhere.length === hidden.length;
    const key = isIdentifier(name) ? name : JSON.stringify(name);
    return `${key}${isAlways ? "" : "?"}: ${typeOfValues(there, elsewhere)}`;
  });
  const isOpen = hidden.some((one) => Object.keys(one).some((name) => !names.includes(name)));
  return `{ ${[...members, ...(isOpen ? ["[name: string]: unknown"] : [])].join("; ")} }`;
}

function valuesOf(objects: Objects): readonly Json[] {
  return objects.flatMap((one) => Object.values(one));
}

function membersOf(objects: Objects, name: string): readonly Json[] {
  return objects.flatMap((one) => (Object.hasOwn(one, name) ? [one[name] as Json] : []));
}

/** Whether a text can stand as a plain name. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && text !== "__proto__";
}
