import { HoneError } from "../../domain/errors.ts";
import { canonical, type JsonObject } from "../../domain/json.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Run } from "../../domain/task.ts";
import { perform } from "../../loop.ts";
import type { ReportRequest } from "../../ports/operations.ts";
import type { Workspace } from "../workspace.ts";

/** Runs that are looked through for one with the reported input. */
const MOST_RUNS = 200;

/**
 * The run that a report is about: by its id, or the latest of a skill with an input. Where there is
 * none, a skill that can do nothing to the world is asked now. Throws `not-found`, `bad-input`.
 */
export async function reportedRun(
  { run: id, skill: name, input }: ReportRequest,
  workspace: Workspace,
): Promise<Run> {
  const { store, library, inputProblems } = workspace.house;
  if (id !== undefined) return runOf(id, name, store);
  if (name === undefined || input === undefined) {
    throw new HoneError("bad-input", "a report names a run, or a skill and the input", {
      hint: "The id of a run stands in the answer's `_meta`, and in what `hone call --json` prints.",
    });
  }
  const skill = await library.active(name);
  const found = latestOf(name, input, store);
  if (found !== undefined) return found;
  const problems = inputProblems(skill, input);
  if (problems.length > 0) {
    throw new HoneError("bad-input", `${name} cannot take this input: ${problems.join("; ")}`);
  }
  if (!isHarmless(skill)) {
    throw new HoneError("not-found", `no recent run of ${name} had this input`, {
      hint: "Call it with the input and report that run.",
    });
  }
  return await asked(name, input, workspace);
}

function runOf(id: string, skill: string | undefined, store: Workspace["house"]["store"]): Run {
  const found = store.run(id);
  if (found === null) {
    throw new HoneError("not-found", `there is no run ${id}`, {
      hint: "Give the skill and the input instead.",
    });
  }
  if (skill === undefined || skill === found.skill) return found;
  throw new HoneError("bad-input", `run ${id} is one of ${found.skill}, not of ${skill}`);
}

function latestOf(
  skill: string,
  input: JsonObject,
  store: Workspace["house"]["store"],
): Run | undefined {
  const wanted = canonical(input);
  return [false, true]
    .flatMap((heldOut) => store.runs({ skill, heldOut, limit: MOST_RUNS }))
    .filter((run) => canonical(run.input) === wanted)
    .toSorted((a, b) => b.startedAt - a.startedAt)[0];
}

function isHarmless({ manifest: { capabilities } }: Skill): boolean {
  const { fetch = [], skills = [], kv = false, model = false } = capabilities;
  return fetch.length === 0 && skills.length === 0 && !kv && !model;
}

async function asked(skill: string, input: JsonObject, { house, signal }: Workspace): Promise<Run> {
  const id = house.newId("task");
  const createdAt = house.now();
  const task = { id, skill, input, expectation: null, source: "mcp", createdAt } as const;
  return await perform(task, house, signal);
}
