import { z } from "zod";
import { messageOf } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { SchemaCheck } from "../../domain/reward-function.ts";

/** A schema that was read, or why it cannot be. */
type Read = { readonly type: z.ZodType } | { readonly problem: string };

const READ = new WeakMap<JsonObject, Read>();

/**
 * Holds a value against a JSON Schema by zod: `items.0.price: expected number, received string`. A
 * schema that zod cannot read is a problem of every value.
 */
export const zodSchemaCheck: SchemaCheck = (schema, value) => {
  const read = READ.get(schema) ?? readOf(schema);
  READ.set(schema, read);
  if ("problem" in read) return [read.problem];
  const parsed = read.type.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.map(sentenceOf);
};

function readOf(schema: JsonObject): Read {
  try {
    return { type: z.fromJSONSchema(schema) };
  } catch (error) {
    return { problem: `the schema cannot be checked: ${messageOf(error)}` };
  }
}

function sentenceOf({ path, message }: z.core.$ZodIssue): string {
  const where = path.length === 0 ? "the input" : path.map(String).join(".");
  return `${where}: ${message.replace(/^Invalid input: /, "")}`;
}
