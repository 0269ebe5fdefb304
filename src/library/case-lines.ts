import { z } from "zod";
import type { Case, CaseWorld, Expectation } from "../domain/case.ts";
import { isTooDeep, MOST_DEPTH, type Json, type JsonObject } from "../domain/json.ts";
import { unfitJson } from "../domain/json-text.ts";
import { argumentsOf, type Signature } from "../domain/skill.ts";
import type { Read } from "./front-matter.ts";

const json = z.custom<Json>((value) => value !== undefined);
const object = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be an object",
);

const rule = z.strictObject({
  match: z.string().min(1),
  status: z.int().min(100).max(599).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: json.optional(),
  times: z.int().min(1).optional(),
  error: z.string().optional(),
  ticks: z.int().min(0).optional(),
});

const answers = z.array(
  z.strictObject({ input: json, result: json.optional(), error: z.string().optional() }),
);

/** The world of a case: recorded answers, key-value state, clock and seed. */
export const worldSchema = z.strictObject({
  fetch: z.array(rule).optional(),
  kv: object.optional(),
  now: z.number().optional(),
  seed: z.number().optional(),
  skills: z.record(z.string(), answers).optional(),
  model: z.array(z.strictObject({ prompt: z.string(), text: z.string() })).optional(),
});

const line = z.strictObject({
  name: z.string().min(1).optional(),
  input: object.optional(),
  args: z.array(json).optional(),
  expect: json.optional(),
  throws: z.string().optional(),
  reward: z.number().min(0).max(1).optional(),
  capabilities: worldSchema.optional(),
});

/**
 * Reads cases, one JSON object a line; names every line that is none. Without a signature, which a
 * source that cannot be read does not have, parameters are not looked at and no case is of use.
 */
export function readCases(
  text: string,
  file: string,
  signature: Signature | null,
): Read<readonly Case[]> {
  const problems: string[] = [];
  const cases = text.split("\n").flatMap((each, at) => {
    if (each.trim() === "") return [];
    const where = `${file}:${at + 1}`;
    const read = readLine(each, signature, `case ${at + 1}`);
    if (typeof read === "string") problems.push(`${where}: ${read}`);
    return typeof read === "string" ? [] : [read];
  });
  const names = cases.map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  problems.push(...twice.map((name) => `${file}: two cases are named "${name}"`));
  return { value: cases, problems };
}

const TOO_DEEP = `is nested deeper than ${MOST_DEPTH} levels`;

function readLine(text: string, signature: Signature | null, name: string): Case | string {
  const unfit = unfitJson(text);
  if (unfit !== null) return unfit;
  const value = parsed(text);
  if (value === undefined) return "no JSON";
  const read = line.safeParse(value);
  if (!read.success) {
    return read.error.issues
      .map(({ path, message }) => `${path.join(".") || "line"}: ${message}`)
      .join("; ");
  }
  const { input, args, expect, capabilities } = read.data;
  if ([...(args ?? [input]), expect].some((each) => isTooDeep(each))) return TOO_DEEP;
  if ((input === undefined) === (args === undefined)) return "needs either `input` or `args`";
  const expectation = expectationOf(read.data);
  if (expectation === null) return "needs exactly one of `expect`, `throws`, `reward`";
  const strange = Object.keys(input ?? {}).filter(
    (key) => signature?.parameters.some((p) => p.name === key) === false,
  );
  if (strange.length > 0) return `${signature?.name} has no parameter ${strange.join(", ")}`;
  return {
    name: read.data.name ?? name,
    args: args ?? (signature === null ? [] : argumentsOf(signature, input ?? {})),
    expectation,
    // Absent members are absent, not undefined: the schema adds none.
    world: (capabilities ?? {}) as CaseWorld,
  };
}

function expectationOf(data: z.infer<typeof line>): Expectation | null {
  const found: Expectation[] = [];
  if (data.expect !== undefined) found.push({ kind: "value", value: data.expect });
  if (data.throws !== undefined) found.push({ kind: "throws", message: data.throws });
  if (data.reward !== undefined) found.push({ kind: "reward", atLeast: data.reward });
  return found.length === 1 ? (found[0] ?? null) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
