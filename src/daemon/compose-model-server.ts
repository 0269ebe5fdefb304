import { homedir } from "node:os";
import path from "node:path";
import { createModelContainer } from "../adapters/docker/model-container.ts";
import { askHealth } from "../adapters/model-server/ask-health.ts";
import { isPortOf } from "../adapters/model-server/port-owner.ts";
import { membersOf, startOf } from "../adapters/model-server/process-table.ts";
import { createProcessServer } from "../adapters/model-server/process-server.ts";
import { takeLock } from "../adapters/sqlite/lock.ts";
import type { Config } from "../config.ts";
import { baseUrlOf } from "../config-model.ts";
import { isServable } from "../config-serve.ts";
import { HoneError } from "../domain/errors.ts";
import type { AskHealth, ModelServer, ServerPlace } from "../ports/model-server.ts";
import { modelFiles, readRecord } from "./model/model-record.ts";
import { sha256 } from "./sha256.ts";

export type ModelServing = {
  readonly server: ModelServer;
  readonly askHealth: AskHealth;
  readonly url: string;
  readonly loadMs: number;
  readonly stopMs: number;
};

/** The model server that the settings name. Throws `bad-config` where they name none. */
export function modelServingOf(
  dir: string,
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): ModelServing {
  const { model } = config;
  const { command, loadMs, stopMs } = model.serve;
  if (!isServable(model.serve)) {
    throw new HoneError("bad-config", "There is no model server to start", {
      hint: "Set `model.serve.command`, or `model.serve.args` for a container; docs/models.md has both.",
    });
  }
  return {
    server: serverOf(command.trim() === "" ? "container" : "process", { dir, config, env }),
    askHealth,
    url: baseUrlOf(model),
    loadMs,
    stopMs,
  };
}

/** A server of one kind, whatever the settings name by now: what was started can be ended. */
export function serverOf(
  kind: ServerPlace["kind"],
  {
    dir,
    config: { model, sandbox },
    env,
  }: {
    readonly dir: string;
    readonly config: Config;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): ModelServer {
  const { serve } = model;
  const common = { env, log: modelFiles(dir).log, stopMs: serve.stopMs };
  return kind === "process"
    ? createProcessServer({ ...common, command: serve.command, dir })
    : createModelContainer({
        ...common,
        ...serve,
        socket: sandbox.socket,
        owner: sha256(dir),
        weights: path.resolve(dir, serve.weights || defaultWeights(env)),
        pullMs: serve.loadMs,
      });
}

/** Where Hugging Face's client keeps weights, so that none is fetched twice. */
function defaultWeights(env: Readonly<Record<string, string | undefined>>): string {
  return env["HF_HOME"] || path.join(homedir(), ".cache", "huggingface");
}

/** The lock of whoever supervises the server; null: another process has it. */
export function takeModelLock(dir: string): Disposable | null {
  return takeLock(modelFiles(dir).lock);
}

/** Who this process is, so that it is not taken for a later one of the same id. */
export function thisProcess(): { readonly pid: number; readonly startedAt: string } {
  return { pid: process.pid, startedAt: startOf(process.pid) ?? "" };
}

/**
 * Whether the workspace's own server is what listens at a port of this machine. Of a process the kernel
 * tells; of a container, and where it does not, that its supervisor runs and has found it ready.
 */
export async function isOwnPort(dir: string, port: number): Promise<boolean> {
  const record = await readRecord(dir);
  if (record === null || record.place === null || !isRunning(record.supervisor)) return false;
  const { place, phase } = record;
  const pids = place.kind === "process" ? membersOf(place.pid, place.startedAt) : null;
  return (pids === null ? null : isPortOf(port, pids)) ?? phase === "ready";
}

/** Whether that very process runs. */
export function isRunning({ pid, startedAt }: ReturnType<typeof thisProcess>): boolean {
  return startOf(pid) === startedAt;
}
