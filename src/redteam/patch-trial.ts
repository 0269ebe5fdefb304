import { isJsonObject, type JsonObject } from "../domain/json.ts";
import { scopeProblems } from "../domain/patch-scope.ts";
import type { Entry } from "./corpus.ts";
import { incumbentOf } from "./incumbent.ts";
import { type Arena, type Ended, rawProgram, skillOf, trialOf } from "./trial.ts";

/** The skill that a patch is for where it names none: the one that these corpora are about. */
const USUAL_SKILL = "sum";

/**
 * Holds a patch of files against what a patch may touch; one that keeps to it is tried as any other
 * candidate. The entry's module is run behind the wall to read the patch: it is not trusted either.
 */
export async function patchTrialOf(
  entry: Entry,
  corpus: readonly Entry[],
  arena: Arena,
): Promise<Ended> {
  const incumbent = incumbentOf(entry.task, corpus);
  const { patch, skill } = await patchIn(entry, incumbent, arena);
  const name = typeof skill === "string" ? skill : USUAL_SKILL;
  const files = isJsonObject(patch) ? patch : {};
  const problems = scopeProblems({ name, language: "js" }, files);
  const own = files[`skills/${name}/skill.js`];
  if (problems.length === 0 && typeof own === "string") {
    return await trialOf({ ...entry, source: own }, incumbent, arena);
  }
  const reason = problems.join("; ") || "changes nothing";
  return {
    verdict: "reject",
    stoppedBy: { gate: "policy", reason },
    behind: null,
    isReleasable: false,
    reasons: reason,
    said: "",
  };
}

async function patchIn(
  { source, task }: Entry,
  incumbent: string,
  { shop, signal }: Arena,
): Promise<JsonObject> {
  const skill = await skillOf(incumbent, task, shop, signal);
  const text = `const module = { exports: {} };\n${source}\n;function skill() { return module.exports; }`;
  const host = shop.hosts.table({}, {}, "closed");
  const [result] = await shop.sandbox.execute(
    {
      program: rawProgram(text),
      calls: [{ args: [], grants: [], environment: { now: 0, seed: 1 }, host }],
      limits: { ...skill.manifest.limits, outputBytes: LARGEST_PATCH },
      fresh: true,
    },
    signal,
  );
  const outcome = result?.trace.outcome;
  return outcome?.status === "returned" && isJsonObject(outcome.value) ? outcome.value : {};
}

/** Longest patch that is read at all, in bytes. */
const LARGEST_PATCH = 4_194_304;
