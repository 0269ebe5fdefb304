import type { Json, JsonObject } from "./json.ts";

/**
 * What a request was for, whatever it was asked about: `GET api.test/v1/items/{}`. A segment of the
 * path that the input names, or that looks like an id, counts as any. Null where it is no URL.
 */
export function endpointOf(method: string, url: string, input: JsonObject): string | null {
  const parsed = URL.parse(url);
  if (parsed === null) return null;
  const named = new Set(leavesOf(input));
  const segments = parsed.pathname.split("/").map((segment) => {
    const text = decoded(segment);
    return text !== "" && (named.has(text) || isId(text)) ? "{}" : segment;
  });
  return `${method.toUpperCase()} ${parsed.host}${segments.join("/")}`;
}

/** Anything with a digit in it but a version such as `v2`, and anything long. */
function isId(segment: string): boolean {
  return segment.length > 40 || (/\d/.test(segment) && !/^v\d+(\.\d+)*$/i.test(segment));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Values of an input that are looked at. */
const MOST = 100;

function leavesOf(input: JsonObject): readonly string[] {
  const leaves: string[] = [];
  const waiting: Json[] = [input];
  while (waiting.length > 0 && leaves.length < MOST) {
    const value = waiting.pop();
    if (typeof value === "object" && value !== null) waiting.push(...Object.values(value));
    else if (value !== undefined) leaves.push(String(value));
  }
  return leaves;
}
