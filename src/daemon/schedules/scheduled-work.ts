import { readFile } from "node:fs/promises";
import path from "node:path";
import { HoneError } from "../../domain/errors.ts";
import { isPaused } from "../../domain/incident.ts";
import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";
import { unfitJson } from "../../domain/json-text.ts";
import type { Operations } from "../../ports/operations.ts";
import type { Workspace } from "../workspace.ts";
import type { ScheduleSettings } from "../../config-schedule.ts";

/**
 * Does what a schedule asks for in one of its slots. Its tasks are named after the slot, so that they
 * are queued once, however often they are handed in. Throws what the operations throw.
 */
export async function workOfSlot(
  entry: ScheduleSettings,
  slot: string,
  { workspace, operations }: { readonly workspace: Workspace; readonly operations: Operations },
): Promise<void> {
  if (entry.submit !== undefined) {
    const tasks = await tasksIn(path.join(workspace.dir, entry.submit));
    await operations.submit({ tasks: tasks.map((one, at) => named(one, { entry, slot, at })) });
  }
  if (entry.improve === undefined) return;
  const names = entry.improve === "*" ? await workspace.house.library.names() : [entry.improve];
  for (const skill of names) {
    if (!isLetBe(skill, workspace)) await operations.improve({ skill });
  }
}

function named(
  task: JsonObject,
  {
    entry,
    slot,
    at,
  }: { readonly entry: ScheduleSettings; readonly slot: string; readonly at: number },
): JsonObject {
  const { id } = task;
  if (id !== undefined && typeof id !== "string") return task;
  return { ...task, id: `${id ?? `${entry.name}#${at + 1}`}@${slot}` };
}

/** A schedule is no person: it waits as long as the incidents of a skill say. */
function isLetBe(skill: string, { house: { store, now } }: Workspace): boolean {
  const open = store.incidents({ skill, states: ["open", "no-change"], limit: 200 });
  return open.length > 0 && open.every((incident) => isPaused(incident, now()));
}

async function tasksIn(file: string): Promise<readonly JsonObject[]> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new HoneError("bad-config", `${file} cannot be read: ${error.message}`, { cause: error });
  });
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const unfit = unfitJson(line);
    if (unfit !== null) throw new HoneError("bad-input", `${file}:${at + 1} ${unfit}`);
    const value = parsed(line);
    if (!isJsonObject(value))
      throw new HoneError("bad-input", `${file}:${at + 1} is no JSON object`);
    return [value];
  });
}

function parsed(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
}
