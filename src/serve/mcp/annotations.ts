import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";

/** Hints about a tool (MCP, `ToolAnnotations`). Each is about effects, not about the answer. */
export type Annotations = {
  readonly readOnlyHint: boolean;
  readonly idempotentHint: boolean;
  readonly destructiveHint: boolean;
  readonly openWorldHint: boolean;
};

/**
 * What a skill may do to the world, from what it is allowed to reach: itself, and through the skills
 * that it may call. A skill that may send requests may send any, so it is taken to be able to destroy.
 */
export function annotationsOf(
  name: string,
  capabilities: ReadonlyMap<string, JsonObject>,
): Annotations {
  const reached = reachedFrom(name, capabilities);
  const may = (capability: string): boolean => reached.some((one) => isGranted(one[capability]));
  const sends = may("fetch");
  const writes = sends || may("kv");
  return {
    readOnlyHint: !writes,
    idempotentHint: !writes,
    destructiveHint: sends,
    openWorldHint: sends || may("model"),
  };
}

/** The capabilities of a skill and of all that it may call; of one that is not there, everything. */
function reachedFrom(
  name: string,
  capabilities: ReadonlyMap<string, JsonObject>,
): readonly JsonObject[] {
  const seen = new Map<string, JsonObject>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    const found = capabilities.get(next) ?? { fetch: true };
    seen.set(next, found);
    if (Array.isArray(found["skills"])) open.push(...found["skills"].map(String));
  }
  return [...seen.values()];
}

function isGranted(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value === true || isJsonObject(value);
}
