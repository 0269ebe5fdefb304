import { readFile } from "node:fs/promises";
import path from "node:path";
import { schedule, validate } from "node-cron";
import { HoneError, messageOf } from "../domain/errors.ts";
import { isPaused } from "../domain/incident.ts";
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import { unfitJson } from "../domain/json-text.ts";
import type { Operations } from "../ports/operations.ts";
import type { Workspace } from "./workspace.ts";

type Entry = Workspace["config"]["schedules"][number];

/**
 * Starts the schedules of the configuration. A slot is claimed in the ledger before its work
 * begins, so that it is done once, whatever restarts or the clock do. Throws `bad-config` for a
 * cron expression that is none.
 */
export function startSchedules(workspace: Workspace, operations: Operations): Disposable {
  const { config, house } = workspace;
  const tasks = config.schedules.map((entry) => {
    if (!validate(entry.cron)) {
      throw new HoneError(
        "bad-config",
        `schedule ${entry.name}: "${entry.cron}" is no cron expression`,
        {
          hint: "Five or six fields, as in `*/5 * * * *`.",
        },
      );
    }
    return schedule(
      entry.cron,
      async ({ date }) => {
        try {
          if (!house.store.claimSlot(entry.name, date.toISOString())) return;
          await work(entry, workspace, operations);
        } catch (error) {
          if (!(error instanceof HoneError)) throw error;
          house.tell("schedule.failed", null, { schedule: entry.name, reason: messageOf(error) });
        }
      },
      {
        name: entry.name,
        noOverlap: true,
        ...(entry.timezone === undefined ? {} : { timezone: entry.timezone }),
      },
    );
  });
  return {
    [Symbol.dispose]() {
      for (const task of tasks) void task.destroy();
    },
  };
}

async function work(entry: Entry, workspace: Workspace, operations: Operations): Promise<void> {
  if (entry.submit !== undefined) {
    await operations.submit({ tasks: await tasksIn(path.join(workspace.dir, entry.submit)) });
  }
  if (entry.improve === undefined) return;
  const names = entry.improve === "*" ? await workspace.house.library.names() : [entry.improve];
  for (const skill of names) {
    if (!isLetBe(skill, workspace)) await operations.improve({ skill });
  }
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
