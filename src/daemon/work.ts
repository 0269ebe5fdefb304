import { HoneError, messageOf } from "../domain/errors.ts";
import type { Expectation } from "../domain/case.ts";
import { isJsonObject, isTooDeep, MOST_DEPTH, type Json, type JsonObject } from "../domain/json.ts";
import type { Run, Task, TaskSource } from "../domain/task.ts";
import { perform, performOn } from "../loop.ts";
import { mindProbation } from "../tenure.ts";
import { versionsFor } from "../versions.ts";
import type { Operations } from "../ports/operations.ts";
import type { House } from "../ports/house.ts";
import { examine } from "../examine/examine.ts";
import { follow } from "./follow.ts";
import { olderFor } from "./agents/older-contract.ts";
import { mindClaims } from "./agents/reporting.ts";
import { whileUnderWay } from "./under-way.ts";
import type { Workspace } from "./workspace.ts";

type Work = Pick<Operations, "call" | "submit" | "task" | "test">;

/** The operations that carry out work: calls, queued tasks, and the regression cases. */
export function workOf(workspace: Workspace): Work {
  const { house, signal, lastSignal } = workspace;
  return {
    async call({ skill, input, expect, source }) {
      requireShallow({ input, expect });
      const expected = expect === undefined ? {} : { expect };
      const task = taskOf({ skill, input, ...expected }, source ?? "cli", house);
      await requireKnown(skill, workspace);
      return answerOf(await performFitting(task, house, lastSignal));
    },
    async submit({ tasks }) {
      const made = tasks.map((each, at) => submittedTask(each, at, house));
      for (const { skill } of made) await requireKnown(skill, workspace);
      const ids: string[] = [];
      let duplicates = 0;
      for (const task of made) {
        if (house.store.addTask(task)) ids.push(task.id);
        else duplicates += 1;
      }
      await workspace.queued.listener();
      return { schemaVersion: 1, accepted: ids.length, duplicates, tasks: ids };
    },
    async task({ id }) {
      const found = house.store.task(id);
      if (found === null) throw new HoneError("not-found", `there is no task ${id}`);
      const run = found.runId === null ? null : house.store.run(found.runId);
      return {
        schemaVersion: 1,
        task: found.task.id,
        skill: found.task.skill,
        state: found.state,
        error: found.error,
        run: run === null ? null : answerOf(run),
      };
    },
    test: async ({ name }) => await testSkills(name, house, signal),
  };
}

/** Throws `bad-input`. */
function requireShallow(members: Readonly<Record<string, Json | undefined>>, where = ""): void {
  const deep = Object.keys(members).find((name) => isTooDeep(members[name]));
  if (deep === undefined) return;
  throw new HoneError(
    "bad-input",
    `${where}\`${deep}\` is nested deeper than ${MOST_DEPTH} levels`,
  );
}

/** A skill that is not there may just have been committed. Throws `not-found`. */
async function requireKnown(skill: string, workspace: Workspace): Promise<void> {
  const { library } = workspace.house;
  if ((await library.names()).includes(skill)) return;
  await follow(workspace);
  if (!(await library.names()).includes(skill)) await library.active(skill);
}

/** Takes queued tasks, one at a time: at most so many, until there are none or `signal` aborts. */
export async function drain(
  {
    house,
    signal,
    lastSignal,
    underWay,
  }: Pick<Workspace, "house" | "signal" | "lastSignal" | "underWay">,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let done = 0; done < most; done += 1) {
    if (signal.aborted) return;
    const claimed = house.store.claimTask();
    if (claimed === null) return;
    const { task } = claimed;
    const ends = { underWay, signal: lastSignal };
    await whileUnderWay(task.id, ends, async (own) => await carryOut(task, house, own));
  }
}

/** A claimed task to its end. A world that is out of reach for a moment is tried again. */
async function carryOut(task: Task, house: House, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await performFitting(task, house, signal);
      return;
    } catch (error) {
      if (signal.aborted) return endCancelled(task, signal.reason, house);
      const isBug = !(error instanceof HoneError);
      // What failed came after its run was recorded: to run it again would count it twice.
      if (!isBug && house.store.task(task.id)?.state === "done") return;
      if (!isBug && error.retryable && tries < 3) continue;
      const reason = `${isBug ? "bug" : error.code}: ${messageOf(error)}`;
      house.store.failTask(task.id, reason);
      house.tell("task.failed", task.skill, {
        task: task.id,
        reason: isBug ? reason : messageOf(error),
      });
      // The task is done with before the bug ends the daemon: the next start does not meet it again.
      if (isBug) throw error;
      return;
    }
  }
}

/** Of a task that was cancelled, which its reason tells; one that the end of all work cut off is queued again. */
function endCancelled(task: Task, reason: unknown, { store, tell }: House): void {
  if (!(reason instanceof HoneError) || reason.code !== "refused") return;
  if (store.task(task.id)?.state === "done") return;
  store.failTask(task.id, reason.message);
  tell("task.cancelled", task.skill, { task: task.id, reason: reason.message });
}

async function performFitting(task: Task, house: House, signal: AbortSignal): Promise<Run> {
  const work = async (): Promise<Run> => await fitting(task, house, signal);
  return await (house.around?.(task, work) ?? work());
}

/** A task whose input does not fit the skill's types is not run: that is no failure of the skill. */
async function fitting(task: Task, house: House, signal: AbortSignal): Promise<Run> {
  const versions = versionsFor(task, house);
  const skill = await versions(task.skill);
  const problems = house.inputProblems(skill, task.input);
  if (problems.length === 0) {
    const made = await perform(task, house, signal, versions);
    await mindProbation(task.skill, house, signal);
    mindClaims(made, house);
    return made;
  }
  const older = task.source === "mcp" ? await olderFor(skill, task.input, house) : null;
  if (older !== null) return await performOn({ task, skill: older }, house, signal);
  throw new HoneError("bad-input", `${task.skill} cannot take this input: ${problems.join("; ")}`, {
    hint: `\`hone skills show ${task.skill}\` shows its parameters.`,
  });
}

function taskOf(
  {
    id,
    skill,
    input,
    ...expected
  }: {
    readonly id?: string;
    readonly skill: string;
    readonly input: JsonObject;
    readonly expect?: Json;
    readonly throws?: string;
  },
  source: TaskSource,
  house: House,
): Task {
  return {
    id: id ?? house.newId("task"),
    skill,
    input,
    expectation: expectationOf(expected),
    source,
    createdAt: house.now(),
  };
}

function expectationOf(of: {
  readonly expect?: Json;
  readonly throws?: string;
}): Expectation | null {
  if (of.expect !== undefined) return { kind: "value", value: of.expect };
  return of.throws === undefined ? null : { kind: "throws", message: of.throws };
}

function submittedTask(value: JsonObject, at: number, house: House): Task {
  const { id, skill, input, expect, throws: message } = value;
  const problem = (what: string): never => {
    throw new HoneError("bad-input", `task ${at + 1}: ${what}`, {
      hint: "Nothing was queued. Each task is {skill, input, id?, expect? | throws?}.",
    });
  };
  requireShallow(value, `task ${at + 1}: `);
  if (typeof skill !== "string") return problem("`skill` must name a skill");
  if (!isJsonObject(input)) return problem("`input` must be an object of the skill's parameters");
  if (id !== undefined && typeof id !== "string") return problem("`id` must be a text");
  if (message !== undefined && typeof message !== "string")
    return problem("`throws` must be a text");
  return taskOf(
    {
      skill,
      input,
      ...(id === undefined ? {} : { id }),
      ...(expect === undefined ? {} : { expect }),
      ...(message === undefined ? {} : { throws: message }),
    },
    "dataset",
    house,
  );
}

/** A run as it is answered: the outcome, the score, the version that gave it. */
function answerOf({ id, taskId, skill, version, trace, reward }: Run): JsonObject {
  const { outcome, usage, logs } = trace;
  return {
    schemaVersion: 1,
    run: id,
    task: taskId,
    skill,
    version,
    ...outcome,
    reward,
    logs,
    durationMs: usage.wallMs,
  };
}

async function testSkills(
  name: string | undefined,
  house: House,
  signal: AbortSignal,
): Promise<JsonObject> {
  const loaded = await house.library.loadAll(await house.repository.head());
  const wanted = loaded.filter((one) => name === undefined || one.name === name);
  if (wanted.length === 0 && name !== undefined) await house.library.active(name);
  const skills: JsonObject[] = [];
  const failures: JsonObject[] = [];
  for (const one of wanted) {
    if (one.status === "unsound") {
      skills.push({ name: one.name, passed: 0, failed: one.problems.length });
      failures.push(
        ...one.problems.map((reason) => ({ skill: one.name, case: "(loading)", reason })),
      );
      continue;
    }
    const ports = { ...house, unrecorded: "closed" as const };
    const { judged } = await examine({ skill: one.skill, cases: one.skill.cases }, ports, signal);
    const missed = judged.filter(({ passed }) => !passed);
    skills.push({ name: one.name, passed: judged.length - missed.length, failed: missed.length });
    failures.push(
      ...missed.map(({ case: of, reason }) => ({ skill: one.name, case: of.name, reason })),
    );
  }
  return {
    schemaVersion: 1,
    passed: sum(skills, "passed"),
    failed: sum(skills, "failed"),
    skills,
    failures,
  };
}

function sum(rows: readonly JsonObject[], key: string): number {
  return rows.reduce((total, row) => total + Number(row[key]), 0);
}
