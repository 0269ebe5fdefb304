import { z } from "zod";
import { DOORS } from "../../domain/claim.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Json, JsonObject } from "../../domain/json.ts";
import type { Operations } from "../../ports/operations.ts";

// Bodies were read by JSON.parse, so their values are JSON already; zod's own JSON types would copy
// them and lose a member named __proto__.
const json = z.custom<Json>((value) => value !== undefined, "must be JSON");
const object = z
  .custom<JsonObject>((value) => isJsonObject(value as Json | undefined), "must be an object")
  .meta({ type: "object" });
const name = z.string().min(1).max(200);
/** No path leads out of a folder by it. */
const skill = name.regex(/^(?!\.{1,2}$)[^/\\\p{Cc}]+$/u, "must be the name of a skill");
/** A commit's id or name; no option, no range, no path. */
const commit = name.regex(/^(?!.*\.\.)\w[\w./~^@-]*$/, "must be a commit");
const page = z.int().min(1).max(500);
/** Who decides: it stands in the history. */
const by = name.regex(/^\P{Cc}+$/u, "must be one line");

/** What each verb takes, and what it does. The keys are the verbs of `Operations`, all of them. */
export const VERBS = {
  call: z
    .strictObject({
      skill,
      input: object,
      expect: json.optional(),
      source: z.enum(["mcp"]).optional(),
    })
    .describe("Runs a skill once and answers with its outcome; `expect` is the right result."),
  report: z
    .strictObject({
      run: name.optional(),
      skill: skill.optional(),
      input: object.optional(),
      reason: z.string().min(1).max(4_000),
      expect: json.optional(),
      throws: z.string().max(1_000).optional(),
      by: z.string().max(200),
      via: z.enum(DOORS).optional(),
    })
    .describe("Claims that a run was wrong, by its id or by skill and input; `expect` is right."),
  tools: z
    .strictObject({ known: name.optional() })
    .describe("The skills as tools with their schemas; only the digest where it is `known`."),
  submit: z
    .strictObject({ tasks: z.array(object) })
    .describe(
      "Queues tasks: {skill, input, id?, expect? | throws?}. A known id is not queued twice.",
    ),
  task: z.strictObject({ id: name }).describe("How a queued task stands, with its run once done."),
  cancel: z
    .strictObject({ id: name, by })
    .describe("Ends a task that is queued or under way; it counts as failed."),
  runs: z
    .strictObject({ skill, limit: page.optional(), before: name.optional() })
    .describe("Runs of a skill, newest first; `next` of one page is `before` of the following."),
  run: z
    .strictObject({ id: name })
    .describe("A run with its trace; of one that is set aside, its score alone."),
  incident: z
    .strictObject({ id: name })
    .describe("An incident with its runs, diagnosis, groups, candidates, gates and releases."),
  candidate: z
    .strictObject({ id: name })
    .describe("A candidate's source, that of the version before, its gates, what it may reach."),
  releases: z
    .strictObject({ skill: skill.optional(), limit: page.optional(), before: name.optional() })
    .describe(
      "Releases and rollbacks, newest first; `next` of one page is `before` of the following.",
    ),
  evidence: z
    .strictObject({ commit })
    .describe("What a release carries to be checked by anybody, as git has it."),
  pin: z
    .strictObject({ skill, version: commit, by })
    .describe("Calls of a skill get this version, and it is improved only when asked for."),
  unpin: z.strictObject({ skill, by }).describe("Takes the pin of a skill away."),
  improve: z
    .strictObject({ skill })
    .describe("Works on a skill's incidents now, and waits for it."),
  birth: z
    .strictObject({
      by,
      from: name.optional(),
      name: name.optional(),
      description: z.string().max(1_024).optional(),
      examples: z.array(object).optional(),
      parameters: z.array(name).optional(),
    })
    .describe("Asks for a new skill, by examples or by what `recurring` found."),
  recurring: z.strictObject({}).describe("Steps that runs repeat, each a skill that could be."),
  retire: z
    .strictObject({ skill, by, reason: z.string().max(400).optional() })
    .describe("Takes a skill out of the library, by a commit that can be reverted."),
  skills: z.strictObject({}).describe("The skills with their versions, runs and mean rewards."),
  skill: z
    .strictObject({ name: skill })
    .describe("A skill: source, contract, visible cases, versions with their rewards."),
  test: z
    .strictObject({ name: skill.optional() })
    .describe("Runs the visible cases of the skills."),
  status: z.strictObject({}).describe("How the workspace stands, and what a person should know."),
  activity: z
    .strictObject({ days: z.int().min(1).max(366).optional() })
    .describe(
      "Rewards over time, what was released, taken back and refused, in the last days (7).",
    ),
  incidents: z
    .strictObject({ skill: skill.optional(), all: z.boolean().optional() })
    .describe("Open incidents; with `all` those that are over as well."),
  log: z.strictObject({ skill }).describe("The versions of a skill, each with its own rewards."),
  schedules: z.strictObject({}).describe("What recurs, and when it does next."),
  diff: z
    .strictObject({ skill, from: commit.optional(), to: commit.optional() })
    .describe("What changed in a skill between two versions, as a unified diff."),
  why: z
    .strictObject({ skill })
    .describe("Why the active version is as it is; of an incident's id, what became of it."),
  rollback: z
    .strictObject({ skill, by })
    .describe("Takes the last release back, by one new commit."),
  approve: z
    .strictObject({ candidate: name, by })
    .describe("Verifies a waiting candidate again and releases it."),
  budget: z.strictObject({}).describe("What the model has cost, and its caps."),
  pause: z
    .strictObject({ by, reason: z.string().max(500).optional() })
    .describe("Stops repairs, not tasks, until they are resumed."),
  resume: z.strictObject({ by }).describe("Lets repairs go on."),
  reject: z.strictObject({ candidate: name, by }).describe("Refuses a waiting candidate."),
  reload: z
    .strictObject({})
    .describe("Reads the settings anew; says what is applied and what needs a restart."),
  leaveSafeMode: z
    .strictObject({ by })
    .describe("Serves the newest versions and improves again, after safe mode."),
  verify: z.strictObject({ commit }).describe("Runs a release's evidence again, from git alone."),
  buildSandbox: z.strictObject({}).describe("Builds the container image that candidates run in."),
} satisfies Record<keyof Operations, z.ZodType>;

export type Verb = keyof typeof VERBS;

export const VERB_NAMES = Object.keys(VERBS) as readonly Verb[];

/** Verbs that change nothing and are quick: they can be asked by GET as well. */
const READS: readonly string[] = [
  "task",
  "runs",
  "run",
  "incident",
  "candidate",
  "releases",
  "evidence",
  "recurring",
  "skills",
  "skill",
  "status",
  "activity",
  "incidents",
  "log",
  "schedules",
  "tools",
  "diff",
  "why",
  "budget",
] satisfies readonly Verb[];

export function isRead(verb: Verb): boolean {
  return READS.includes(verb);
}

/** One verb of `Operations` as a function of its body, which `VERBS` has validated. */
export function performer(
  operations: Operations,
  verb: Verb,
): (body: unknown) => Promise<JsonObject> {
  const perform = operations[verb] as (body: unknown) => Promise<JsonObject>;
  return (body) => perform.call(operations, body);
}
