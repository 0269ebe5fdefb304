import { spawn } from "node:child_process";
import { openSync, closeSync, mkdirSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../config.ts";
import { HoneError } from "../../domain/errors.ts";
import { COMMAND_ENTRY } from "../../entries.ts";
import { isRunning, modelServingOf, serverOf, takeModelLock } from "../compose-model-server.ts";
import { modelFiles, readRecord, writeRecord, type ModelRecord } from "./model-record.ts";

/** The workspace, its settings, and what its processes inherit. */
export type ModelPlace = {
  readonly dir: string;
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
};

export type ModelStatus = {
  /** `lost`: its supervisor is gone without having ended it. */
  readonly state: "down" | "starting" | "ready" | "pausing" | "failed" | "lost";
  readonly url: string;
  readonly models: readonly string[];
  readonly supervisor: number | null;
  /** A process id or a container's. */
  readonly server: string;
  readonly restarts: number;
  /** In seconds. */
  readonly forSeconds: number;
  readonly reason: string;
  readonly log: string;
};

const LOOK_EVERY_MS = 250;
/** Between two lines about one phase, in milliseconds. */
const TELL_EVERY_MS = 10_000;

/** How the workspace's model server is. */
export async function modelStatus(dir: string): Promise<ModelStatus> {
  const record = await readRecord(dir);
  const log = path.relative(dir, modelFiles(dir).log);
  if (record === null) {
    const nothing = { url: "", models: [], supervisor: null, server: "", restarts: 0 };
    return { state: "down", ...nothing, forSeconds: 0, reason: "", log };
  }
  const { phase, supervisor, place, url, models, restarts, since, reason } = record;
  const isSupervised = isRunning(supervisor);
  return {
    state: isSupervised || phase === "failed" ? phase : "lost",
    url,
    models,
    supervisor: isSupervised ? supervisor.pid : null,
    server: place === null ? "" : place.kind === "process" ? String(place.pid) : place.id,
    restarts,
    forSeconds: Math.round((Date.now() - since) / 1_000),
    reason,
    log,
  };
}

/**
 * Starts the server under a supervisor of its own, which outlives this process, and waits until it is
 * ready. One that runs is left as it is. An aborted signal ends the waiting alone. Throws
 * `sandbox-unavailable` where the server does not get ready, with the end of its log.
 */
export async function modelUp(
  of: ModelPlace,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<ModelStatus> {
  // A setting that is wrong is told here, not in the log of another process.
  modelServingOf(of.dir, of.config, of.env);
  const before = await modelStatus(of.dir);
  if (before.supervisor === null) startSupervisor(of);
  return await untilReady(of.dir, before.supervisor === null ? before : null, tell, signal);
}

/** Starts a supervisor and does not wait for it. */
export function startSupervisor({ dir, env }: Pick<ModelPlace, "dir" | "env">): void {
  const { log } = modelFiles(dir);
  mkdirSync(path.dirname(log), { recursive: true });
  const output = openSync(log, "a", 0o600);
  try {
    const args = [
      ...process.execArgv,
      COMMAND_ENTRY,
      "--workspace",
      dir,
      "--quiet",
      "model",
      "supervise",
    ];
    const stdio = ["ignore", output, output] as const;
    spawn(process.execPath, args, { cwd: dir, env, detached: true, stdio: [...stdio] })
      .on("error", () => undefined)
      .unref();
  } finally {
    closeSync(output);
  }
}

/** A supervisor that has written nothing by then has not come up, in milliseconds. */
const SUPERVISOR_WITHIN_MS = 30_000;

async function untilReady(
  dir: string,
  before: ModelStatus | null,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<ModelStatus> {
  const startedAt = Date.now();
  for (let toldAt = 0, toldState = ""; ; await pause(LOOK_EVERY_MS, undefined, { signal })) {
    const status = await modelStatus(dir);
    if (status.state === "ready") return status;
    const isNew = before === null || status.supervisor !== null || isOther(status, before);
    if (isNew && (status.state === "failed" || status.state === "lost"))
      throw await failure(dir, status);
    const waited = Date.now() - startedAt;
    if (status.supervisor === null && waited > SUPERVISOR_WITHIN_MS)
      throw await failure(dir, status);
    if (status.state === toldState && Date.now() - toldAt < TELL_EVERY_MS) continue;
    [toldAt, toldState] = [Date.now(), status.state];
    const last = (await endOfLog(dir)).split("\n").at(-1) ?? "";
    const phase = status.supervisor === null ? "starting" : status.state;
    tell(`model server ${phase}, ${Math.round(waited / 1_000)} s: ${last}`);
  }
}

/** What an earlier supervisor left on record says nothing of the new one. */
function isOther(status: ModelStatus, before: ModelStatus): boolean {
  return status.state !== before.state || status.forSeconds < before.forSeconds;
}

async function failure(dir: string, { reason, log }: ModelStatus): Promise<HoneError> {
  const said = await endOfLog(dir);
  const why = reason === "" ? "its supervisor ended" : reason;
  return new HoneError("sandbox-unavailable", `The model server did not get ready: ${why}`, {
    hint: `The end of ${log}:\n${said}`,
  });
}

/** Beyond the server's own time for an orderly end, in milliseconds. */
const MARGIN_MS = 15_000;

/**
 * Ends the server and its supervisor, whoever started them, and whatever an earlier supervisor left.
 * Throws `busy` where something of it cannot be ended.
 */
export async function modelDown({ dir, config, env }: ModelPlace): Promise<ModelStatus> {
  const record = await readRecord(dir);
  if (record !== null && isRunning(record.supervisor)) {
    process.kill(record.supervisor.pid, "SIGTERM");
    const endsAt = Date.now() + config.model.serve.stopMs + MARGIN_MS;
    while (isRunning(record.supervisor) && Date.now() < endsAt) await pause(LOOK_EVERY_MS);
    if (isRunning(record.supervisor)) process.kill(record.supervisor.pid, "SIGKILL");
  }
  await endLeft({ dir, config, env }, record);
  return await modelStatus(dir);
}

async function endLeft(
  { dir, config, env }: ModelPlace,
  record: ModelRecord | null,
): Promise<void> {
  if ((await readRecord(dir)) === null) return;
  using lock = takeModelLock(dir);
  // Somebody starts it again just now: what is left is theirs to end.
  if (lock === null) return;
  if (record?.place) await serverOf(record.place.kind, { dir, config, env }).stop(record.place);
  await writeRecord(dir, null);
}

const LOG_END_BYTES = 2_000;

async function endOfLog(dir: string): Promise<string> {
  try {
    await using file = await open(modelFiles(dir).log);
    const { size } = await file.stat();
    const start = Math.max(0, size - LOG_END_BYTES);
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(LOG_END_BYTES),
      position: start,
    });
    return buffer.toString("utf8", 0, bytesRead).trim().split("\n").slice(-8).join("\n");
  } catch {
    return "";
  }
}
