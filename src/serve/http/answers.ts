import { z } from "zod";
import type { Verb } from "./verbs.ts";

const text = z.string();
const number = z.number();
const textOrNull = text.nullable();
const numberOrNull = number.nullable();
const list = z.array(z.unknown());
const anything = z.unknown();
const rows = z.array(z.record(text, z.unknown()));

const answer = (shape: z.ZodRawShape): z.ZodType =>
  z.looseObject({ schemaVersion: z.literal(1), ...shape });

const run = {
  run: text,
  task: text,
  skill: text,
  version: text.describe("The commit that last changed the skill when the run began."),
  status: text.describe("`returned` with `value`, or what became of it instead."),
  reward: anything,
  logs: list,
  durationMs: number,
};

const decided = { skill: text, result: text };

/**
 * The members of each verb's answer that a client may count on; there may be more. A verb that is
 * not here answers with an object whose members are for people.
 */
export const ANSWERS: Partial<Record<Verb, z.ZodType>> = {
  call: answer(run),
  submit: answer({ accepted: number, duplicates: number, tasks: z.array(text) }),
  task: answer({
    task: text,
    skill: text,
    state: z.enum(["queued", "running", "done", "failed"]),
    error: textOrNull,
    run: z.looseObject(run).nullable(),
  }),
  cancel: answer({ task: text, ...decided }),
  runs: answer({ skill: text, runs: rows, next: textOrNull }),
  run: answer({
    run: text,
    skill: text,
    version: text,
    startedAt: number,
    heldOut: z.boolean(),
    reward: anything,
    input: anything,
    trace: anything,
  }),
  incident: answer({
    incident: text,
    skill: text,
    version: text,
    state: text,
    failureClass: text,
    summary: text,
    runs: number,
    source: textOrNull,
    diagnosis: anything,
    examples: rows,
    groups: rows,
    releases: rows,
  }),
  candidate: answer({
    candidate: text,
    skill: text,
    incident: text,
    state: text,
    reward: number,
    advantage: numberOrNull,
    gates: rows,
    file: text,
    source: text,
    parent: textOrNull,
    parentSource: textOrNull,
    capabilities: z.array(text).nullable(),
  }),
  releases: answer({ releases: rows, next: textOrNull }),
  evidence: answer({
    commit: text,
    digest: text,
    named: textOrNull,
    isWhole: z.boolean(),
    evidence: anything,
  }),
  pin: answer({ ...decided, version: text, active: textOrNull }),
  unpin: answer({ ...decided, version: text }),
  improve: answer({ ...decided, reason: text }),
  skills: answer({ skills: rows, uncommitted: z.array(text), problems: z.array(text) }),
  skill: answer({
    name: text,
    version: text,
    description: text,
    inputSchema: anything,
    outputSchema: anything,
    cases: rows,
    versions: rows,
    source: text,
  }),
  test: answer({ passed: number, failed: number, skills: rows, failures: rows }),
  status: answer({
    workspace: text,
    head: text,
    tasks: z.record(text, number),
    openIncidents: number,
    problems: z.array(text),
    waiting: rows,
    releases: rows,
  }),
  incidents: answer({ incidents: rows }),
  log: answer({ skill: text, versions: rows }),
  diff: answer({ skill: text, from: text, to: text, diff: text }),
  rollback: answer({ ...decided, commit: text, reverted: text, restored: text }),
  approve: answer({ candidate: text, ...decided, commit: text }),
  reject: answer({ candidate: text, ...decided }),
  verify: answer({ commit: text, ...decided, digest: text, differences: rows }),
};
