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
