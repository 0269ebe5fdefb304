import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";

/** Keywords whose value is a schema. */
const ONE = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "items",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
]);
/** Keywords whose value is a list of schemas. */
const LIST = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
/** Keywords whose value is a map of schemas. */
const MAP = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/**
 * A JSON Schema without boolean nodes: servers of models answer 400 to a bare `true` or `false`.
 * `true` becomes `{}`, which says the same. A keyword that is `false` only forbids further members,
 * and is left out: whoever takes the input checks it against the schema as it was.
 */
export function plainSchema(schema: JsonObject): JsonObject {
  const members = Object.entries(schema).flatMap(([key, value]) => {
    const plain = memberOf(key, value);
    return plain === undefined ? [] : [[key, plain] as const];
  });
  return Object.fromEntries(members);
}

function memberOf(key: string, value: Json): Json | undefined {
  if (ONE.has(key)) return value === false && key !== "not" ? undefined : nodeOf(value);
  if (LIST.has(key) && Array.isArray(value)) return value.map(nodeOf);
  if (MAP.has(key) && isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, node]) => [name, nodeOf(node)] as const),
    );
  }
  return value;
}

function nodeOf(node: Json): Json {
  if (node === true) return {};
  if (node === false) return { not: {} };
  return isJsonObject(node) ? plainSchema(node) : node;
}

/**
 * A schema of an object: what has another root becomes the member `result` of one, since clients of
 * the older protocol take nothing else. Definitions stay at the root, where references look for them.
 */
export function objectSchema(schema: JsonObject): JsonObject {
  if (isOfObjects(schema)) return schema;
  const { $defs, definitions, $schema, ...inner } = schema;
  const around = Object.entries({ $schema, $defs, definitions }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return {
    ...Object.fromEntries(around),
    type: "object",
    properties: { result: inner },
    required: ["result"],
  };
}

/** Whether a schema takes objects only, and says so at its root. */
export function isOfObjects(schema: JsonObject): boolean {
  return schema["type"] === "object";
}
