import { z } from "zod";
import { HoneError } from "../../domain/errors.ts";
import { unfitJson } from "../../domain/json-text.ts";
import { VERBS } from "./verbs.ts";
import type { Verb } from "./verbs.ts";

/** The validated body of a verb; an empty body is an empty object. Throws `bad-input`. */
export function bodyOf(verb: Verb, text: string): unknown {
  // Further than this no body is walked; what is too deep for an input is for the operations to say.
  const unfit = unfitJson(text);
  if (unfit !== null) throw new HoneError("bad-input", `The body ${unfit}`);
  return validated(verb, jsonOf(text));
}

/**
 * The validated body of a verb that is asked by a query, whose texts are numbers and truth values
 * where the verb takes such. Throws `bad-input`.
 */
export function bodyOfQuery(verb: Verb, query: Readonly<Record<string, string[]>>): unknown {
  const properties =
    z.toJSONSchema(VERBS[verb], { io: "input", unrepresentable: "any" }).properties ?? {};
  const members = Object.entries(query).map(([key, values]) => {
    if (values.length > 1) throw new HoneError("bad-input", `${key} is given more than once`);
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const type = typeof property === "object" ? String(property.type) : "";
    return [key, valueOf(values[0] ?? "", type)] as const;
  });
  return validated(verb, Object.fromEntries(members));
}

function valueOf(text: string, type: string): unknown {
  if (type === "integer" && /^\d{1,15}$/.test(text)) return Number(text);
  if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

function validated(verb: Verb, value: unknown): unknown {
  const parsed = VERBS[verb].safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join(".") || "the body"}: ${message}`,
  );
  throw new HoneError("bad-input", `${verb} cannot take this: ${problems.join("; ")}`);
}

function jsonOf(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch (cause) {
    throw new HoneError("bad-input", "The body is not JSON", { cause });
  }
}
