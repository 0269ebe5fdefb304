import { z } from "zod";
import type { ToolCase } from "../domain/definition.ts";
import { unfitJson } from "../domain/json-text.ts";
import type { Json, JsonObject } from "../domain/json.ts";

const line = z.strictObject({
  name: z.string().min(1).optional(),
  say: z.string().min(1).max(20_000),
  input: z.custom<JsonObject>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    { error: "is the input of the call that is wanted, an object" },
  ),
});

/**
 * Reads requests for a tool, one JSON object a line: `{"say": "…", "input": {…}}`. Names every line
 * that is none.
 */
export function readToolCases(
  text: string,
  file: string,
): { readonly value: readonly ToolCase[]; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const value = text.split("\n").flatMap((each, at): readonly ToolCase[] => {
    if (each.trim() === "") return [];
    const parsed = line.safeParse(parsedLine(each));
    if (parsed.success) {
      const { name = `call ${at + 1}`, say, input } = parsed.data;
      return [{ name, say, input }];
    }
    const [issue] = parsed.error.issues;
    problems.push(`${file}:${at + 1}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`);
    return [];
  });
  const names = value.map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  problems.push(...twice.map((name) => `${file}: two calls are named "${name}"`));
  return { value, problems };
}

function parsedLine(text: string): Json {
  if (unfitJson(text) !== null) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
