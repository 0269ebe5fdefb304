import { readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ServerPlace } from "../../ports/model-server.ts";

/** What a supervisor writes down, so that other processes know of its server. */
export type ModelRecord = {
  readonly phase: "starting" | "ready" | "pausing" | "failed";
  /** The process that supervises it. */
  readonly supervisor: { readonly pid: number; readonly startedAt: string };
  /** Null: none is started just now. */
  readonly place: ServerPlace | null;
  /** Base URL that it answers at. */
  readonly url: string;
  /** Names that it listed when it was ready last. */
  readonly models: readonly string[];
  /** Times that it was started again after it had been ready. */
  readonly restarts: number;
  /** When this phase began, in milliseconds since the epoch. */
  readonly since: number;
  /** How the server ended last, or why it cannot be started; empty: it has not. */
  readonly reason: string;
};

/** Files of a workspace's model server. */
export function modelFiles(dir: string): Readonly<Record<"record" | "lock" | "log", string>> {
  const at = (name: string): string => path.join(dir, "data", "run", name);
  return { record: at("model.json"), lock: at("model.lock"), log: at("model.log") };
}

/** The record; null: no server was started, or the last one was ended in order. */
export async function readRecord(dir: string): Promise<ModelRecord | null> {
  try {
    return JSON.parse(await readFile(modelFiles(dir).record, "utf8")) as ModelRecord;
  } catch (error) {
    // A record is replaced as a whole; one that cannot be read is of a machine that lost power.
    if (error instanceof SyntaxError) return null;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Writes the record as a whole; null removes it. */
export async function writeRecord(dir: string, record: ModelRecord | null): Promise<void> {
  const { record: file } = modelFiles(dir);
  if (record === null) return await rm(file, { force: true });
  await writeFile(`${file}.new`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
