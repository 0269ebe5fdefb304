import type { JsonObject } from "../../domain/json.ts";
import type { StructuredMode } from "../../domain/model-card.ts";

/** How an endpoint is asked for JSON. */
export type Structured = {
  readonly mode: StructuredMode;
  /** Whether `json_object` may carry the schema too, as llama.cpp and its kin take it. */
  readonly objectTakesSchema: boolean;
};

/** From the strictest to none; the order in which an endpoint gives up. */
const LADDER: readonly StructuredMode[] = ["json_schema", "grammar", "json_object", "text"];

/** The members of a request that ask for an answer of a schema. */
export function formatOf(
  schema: JsonObject | null,
  { mode, objectTakesSchema }: Structured,
): JsonObject {
  if (schema === null) return {};
  switch (mode) {
    case "json_schema":
      return {
        response_format: { type: mode, json_schema: { name: "answer", strict: true, schema } },
      };
    case "json_object":
      return { response_format: { type: mode, ...(objectTakesSchema ? { schema } : {}) } };
    case "grammar":
      // llama.cpp reads the first, vLLM the second; each makes its grammar of it.
      return { json_schema: schema, structured_outputs: { json: schema } };
    case "text":
      return {};
  }
}

/** The next weaker way to ask. */
export function weaker({ mode, objectTakesSchema }: Structured): Structured {
  if (mode === "json_object" && objectTakesSchema) return { mode, objectTakesSchema: false };
  return { mode: LADDER[LADDER.indexOf(mode) + 1] ?? "text", objectTakesSchema };
}
