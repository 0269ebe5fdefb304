/** Plain data: the only kind of value that crosses a wall. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** Whether a value is an object of named members (neither an array nor null). */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Levels of lists and objects that a value may have, as in the isolate: what is deeper is refused
 * where it comes in, so that whoever walks values may do so by recursion.
 */
export const MOST_DEPTH = 64;

/** Whether a value has more levels than are taken in. Walks level by level, however deep it is. */
export function isTooDeep(value: unknown, most: number = MOST_DEPTH): boolean {
  let level: readonly object[] = [value].filter(isHolder);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((holder) => Object.values(holder).filter(isHolder));
  }
  return false;
}

function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/**
 * The canonical text of a value: keys sorted, -0 written as 0, undefined members absent (RFC 8785
 * in spirit). Two values are the same exactly when their canonical texts are.
 */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .toSorted()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key] as Json)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(Object.is(value, -0) ? 0 : value);
}

/** Whether two values are equal as JSON: same types, same members, keys in any order. */
export function sameJson(a: Json, b: Json): boolean {
  return canonical(a) === canonical(b);
}
