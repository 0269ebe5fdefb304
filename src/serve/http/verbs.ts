import { z } from "zod";
import { DOORS } from "../../domain/claim.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Json, JsonObject } from "../../domain/json.ts";
import type { Operations } from "../../ports/operations.ts";

// Bodies were read by JSON.parse, so their values are JSON already; zod's own JSON types would copy
// them and lose a member named __proto__.
const json = z.custom<Json>((value) => value !== undefined, "must be JSON");
const object = z.custom<JsonObject>(
  (value) => isJsonObject(value as Json | undefined),
  "must be an object",
);
const name = z.string().min(1).max(200);
const page = z.int().min(1).max(500);

/** What each verb takes. The keys are the verbs of `Operations`, all of them. */
export const VERBS = {
  call: z.strictObject({
    skill: name,
    input: object,
    expect: json.optional(),
    source: z.enum(["mcp"]).optional(),
  }),
  report: z.strictObject({
    run: name.optional(),
    skill: name.optional(),
    input: object.optional(),
    reason: z.string().min(1).max(4_000),
    expect: json.optional(),
    throws: z.string().max(1_000).optional(),
    by: z.string().max(200),
    via: z.enum(DOORS).optional(),
  }),
  tools: z.strictObject({ known: name.optional() }),
  submit: z.strictObject({ tasks: z.array(object) }),
  task: z.strictObject({ id: name }),
  cancel: z.strictObject({ id: name, by: name }),
  runs: z.strictObject({ skill: name, limit: page.optional(), before: name.optional() }),
  run: z.strictObject({ id: name }),
  incident: z.strictObject({ id: name }),
  candidate: z.strictObject({ id: name }),
  releases: z.strictObject({
    skill: name.optional(),
    limit: page.optional(),
    before: name.optional(),
  }),
  evidence: z.strictObject({ commit: name }),
  pin: z.strictObject({ skill: name, version: name, by: name }),
  unpin: z.strictObject({ skill: name, by: name }),
  improve: z.strictObject({ skill: name }),
  birth: z.strictObject({
    by: name,
    from: name.optional(),
    name: name.optional(),
    description: z.string().max(1_024).optional(),
    examples: z.array(object).optional(),
    parameters: z.array(name).optional(),
  }),
  recurring: z.strictObject({}),
  retire: z.strictObject({ skill: name, by: name, reason: z.string().max(400).optional() }),
  skills: z.strictObject({}),
  skill: z.strictObject({ name }),
  test: z.strictObject({ name: name.optional() }),
  status: z.strictObject({}),
  activity: z.strictObject({ days: z.int().min(1).max(366).optional() }),
  incidents: z.strictObject({ skill: name.optional(), all: z.boolean().optional() }),
  log: z.strictObject({ skill: name }),
  schedules: z.strictObject({}),
  diff: z.strictObject({ skill: name, from: name.optional(), to: name.optional() }),
  why: z.strictObject({ skill: name }),
  rollback: z.strictObject({ skill: name, by: name }),
  approve: z.strictObject({ candidate: name, by: name }),
  budget: z.strictObject({}),
  pause: z.strictObject({ by: name, reason: z.string().max(500).optional() }),
  resume: z.strictObject({ by: name }),
  reject: z.strictObject({ candidate: name, by: name }),
  verify: z.strictObject({ commit: name }),
  buildSandbox: z.strictObject({}),
} satisfies Record<keyof Operations, z.ZodType>;

export type Verb = keyof typeof VERBS;

export const VERB_NAMES = Object.keys(VERBS) as readonly Verb[];

/** One verb of `Operations` as a function of its body, which `VERBS` has validated. */
export function performer(
  operations: Operations,
  verb: Verb,
): (body: unknown) => Promise<JsonObject> {
  const perform = operations[verb] as (body: unknown) => Promise<JsonObject>;
  return (body) => perform.call(operations, body);
}
