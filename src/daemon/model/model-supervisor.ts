import { mkdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../config.ts";
import { HoneError } from "../../domain/errors.ts";
import { modelServingOf, serverOf, takeModelLock, thisProcess } from "../compose-model-server.ts";
import { modelFiles, readRecord, writeRecord } from "./model-record.ts";
import { superviseModel } from "./supervise-model.ts";

/** Above this the log of earlier servers is put aside, in bytes. */
const LONG_LOG = 8 * 2 ** 20;

/**
 * Supervises the workspace's model server in this process until the signal, as its only supervisor.
 * What an earlier one left behind is ended first. Resolves with nothing of the server left: true after
 * the signal, false where the server could not be started, which stays on record. Throws `busy` where
 * another process supervises it, and `bad-config`.
 */
export async function runSupervisor(
  dir: string,
  { config, env }: { readonly config: Config; readonly env: NodeJS.ProcessEnv },
  signal: AbortSignal,
): Promise<boolean> {
  const serving = modelServingOf(dir, config, env);
  await mkdir(path.dirname(modelFiles(dir).lock), { recursive: true });
  using _lock = await lockOf(dir);
  await putLogAside(modelFiles(dir).log);
  const left = await readRecord(dir);
  if (left?.place) await serverOf(left.place.kind, { dir, config, env }).stop(left.place);
  const supervisor = thisProcess();
  const outcome = await superviseModel(
    {
      ...serving,
      report: async (news) => {
        await writeRecord(dir, { ...news, supervisor, url: serving.url, since: Date.now() });
      },
    },
    signal,
  );
  if (outcome === "stopped") await writeRecord(dir, null);
  return outcome === "stopped";
}

/** Somebody who only looks holds the lock for a moment. */
async function lockOf(dir: string): Promise<Disposable> {
  for (let tries = 0; tries < 20; tries += 1) {
    const lock = takeModelLock(dir);
    if (lock !== null) return lock;
    await pause(100);
  }
  throw new HoneError("busy", "another process supervises this workspace's model server", {
    hint: "`hone model status` shows it; `hone model down` ends it.",
  });
}

async function putLogAside(log: string): Promise<void> {
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LONG_LOG) await rename(log, `${log}.1`);
}
