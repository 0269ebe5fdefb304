import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Case } from "../domain/case.ts";
import { HoneError } from "../domain/errors.ts";
import { argumentsOf, type Skill } from "../domain/skill.ts";
import type { Run } from "../domain/task.ts";
import { worldOf } from "../domain/world.ts";
import type { HeldOut, HeldOutCase } from "../ports/held-out.ts";
import { readCases } from "./case-lines.ts";
import { readToolCases } from "./tool-cases.ts";

/** Recorded live runs used as held-out cases at most; the newest, so that the set rotates. */
const MOST_RUNS = 40;

/**
 * Held-out cases of a skill: data/held-out/<skill>.jsonl, the examples that were set aside when it
 * was asked for, and the live runs that were set aside by
 * hash when they were recorded, each asking for the value that scored well then.
 */
export function heldOutIn(
  dir: string,
  heldOutRuns: (skill: Skill, limit: number) => readonly Run[],
  examples: (skill: Skill) => readonly Case[] = () => [],
): HeldOut {
  return {
    async cases(skill) {
      if (skill.language === "definition") return await writtenCalls(dir, skill);
      const written = await writtenCases(dir, skill);
      const recorded = heldOutRuns(skill, MOST_RUNS).flatMap((run) => caseOf(run, skill));
      return [...written, ...examples(skill), ...recorded];
    },
  };
}

async function writtenCases(dir: string, skill: Skill): Promise<readonly Case[]> {
  const file = path.join(dir, "data", "held-out", `${skill.name}.jsonl`);
  const { value, problems } = readCases(await textOf(file), file, skill.signature);
  refuseMalformed(skill, problems, "cases.jsonl");
  return value ?? [];
}

/** Held-out requests for a tool, among the same tools as the visible ones. */
async function writtenCalls(dir: string, skill: Skill): Promise<readonly Case[]> {
  const file = path.join(dir, "data", "held-out", `${skill.name}.calls.jsonl`);
  const { value, problems } = readToolCases(await textOf(file), file);
  refuseMalformed(skill, problems, "calls.jsonl");
  const among = skill.cases[0]?.args.slice(1) ?? [];
  return value.map(({ name, say, input }) => ({
    name,
    args: [say, ...among],
    expectation: { kind: "value", value: { tool: skill.name, input } },
    world: {},
  }));
}

async function textOf(file: string): Promise<string> {
  return await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw new HoneError("store-failed", `${file} cannot be read: ${error.message}`, {
      cause: error,
    });
  });
}

/** The text of a problem may quote the file; only its place leaves this function. */
function refuseMalformed({ name }: Skill, problems: readonly string[], like: string): void {
  if (problems.length === 0) return;
  const places = problems.map((problem) => problem.split(": ")[0]).join(", ");
  throw new HoneError("bad-skill", `held-out cases of ${name} are malformed at ${places}`, {
    hint: `Each line is a JSON object as in ${like}.`,
  });
}

function caseOf(run: Run, skill: Skill): HeldOutCase[] {
  const { outcome } = run.trace;
  if (outcome.status !== "returned") return [];
  return [
    {
      name: `held-out run ${run.id}`,
      args: argumentsOf(skill.signature, run.input),
      expectation: { kind: "value", value: outcome.value },
      world: worldOf(run.trace),
      isRecorded: true,
    },
  ];
}
