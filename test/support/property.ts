import { configureGlobal, jsonValue as anyJsonValue } from "fast-check";
import type { Arbitrary, JsonSharedConstraints } from "fast-check";
import type { Json } from "../../src/domain/json.ts";

export * from "fast-check";

// Chance looks for what nobody thought of, at people's desks. What decides over a change there is
// asks the same questions of every change.
if (process.env["CI"] === "true") configureGlobal({ seed: 20_261_201 });

/**
 * Values that JSON can carry, with names that need no escapes: V8 13.6 (Node 24.21) misreads some of
 * the others. There `JSON.parse('{"\\\\":1}'); JSON.parse('{"\\n":1}')` has a member named `\`.
 */
export function jsonValue(constraints: JsonSharedConstraints = {}): Arbitrary<Json> {
  return anyJsonValue(constraints).map((value) => withPlainNames(value as Json));
}

function withPlainNames(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(withPlainNames);
  const members = Object.entries(value).map(
    ([name, one]) => [name.replaceAll(/["\\\p{Cc}\p{Cs}]/gu, "_"), withPlainNames(one)] as const,
  );
  return Object.fromEntries(members) as Json;
}
