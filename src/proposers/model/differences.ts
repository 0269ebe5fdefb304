import { isJsonObject, sameJson, type Json, type JsonObject } from "../../domain/json.ts";

/** Differences that are told, at most. */
const MOST = 5;

/** Where a value is another than was expected: `$.rows[2].id: expected 7, got "7"`. */
export function differencesOf(expected: Json, got: Json): readonly string[] {
  return differencesAt("$", expected, got).slice(0, MOST);
}

// oxlint-disable-next-line max-params
function differencesAt(path: string, expected: Json, got: Json): string[] {
  if (sameJson(expected, got)) return [];
  if (Array.isArray(expected) && Array.isArray(got)) {
    const sizes =
      expected.length === got.length
        ? []
        : [`${path}: expected ${expected.length} items, got ${got.length}`];
    const shared = expected.slice(0, got.length);
    return [
      ...sizes,
      ...shared.flatMap((one, at) => differencesAt(`${path}[${at}]`, one, got[at] ?? null)),
    ];
  }
  if (isJsonObject(expected) && isJsonObject(got)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(got)])];
    return names.flatMap((name) =>
      memberDifferences(`${path}.${name}`, own(expected, name), own(got, name)),
    );
  }
  return [`${path}: expected ${clipped(expected)}, got ${clipped(got)}`];
}

function own(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function memberDifferences(path: string, expected?: Json, got?: Json): string[] {
  if (expected === undefined) return [`${path}: nothing was expected, got ${clipped(got ?? null)}`];
  if (got === undefined) return [`${path}: expected ${clipped(expected)}, got nothing`];
  return differencesAt(path, expected, got);
}

function clipped(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 197)}...` : text;
}
