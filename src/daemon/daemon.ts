import path from "node:path";
import { mkdir } from "node:fs/promises";
import pino, { type Logger } from "pino";
import type { Config } from "../config.ts";
import { messageOf } from "../domain/errors.ts";
import { dashboard } from "../serve/http/dashboard.ts";
import type { Mount } from "../serve/http/mount.ts";
import { socketPathOf } from "../serve/http/socket-path.ts";
import { refuseSecond } from "../serve/http/unix-socket.ts";
import { CHECKPOINTS, keepWalSmall, openWorkspace, type OpenWorkspace } from "./compose.ts";
import { openDoors } from "./doors.ts";
import { startAfterRuns } from "./after-runs.ts";
import { watchEngine } from "./engine-watch.ts";
import { follow, followChanges } from "./follow.ts";
import { startImprover } from "./improver.ts";
import { measure } from "./measure.ts";
import { watchModel } from "./model-watch.ts";
import { startWorkers } from "./workers.ts";

export type DaemonOptions = {
  readonly config: Config;
  /** Called once, when calls are answered. */
  readonly onReady: (ready: { readonly socketPath: string }) => void;
};

/**
 * The daemon's life: opens the workspace, serves it, works until a signal or a bug, and leaves
 * everything behind as it should be. Resolves with the exit code: 0 after SIGTERM or SIGINT, 1 after
 * a bug; a second signal ends it at once.
 */
export async function runDaemon(dir: string, { config, onReady }: DaemonOptions): Promise<number> {
  const socketPath = socketPathOf(dir);
  // Before anything is touched: whoever answers there has the workspace, whatever became of its lock.
  await refuseSecond(socketPath);
  await using workspace = await openWorkspace(dir, { config, exclusive: true });
  const log = await logIn(dir, config.logLevel);
  const end = endOf(log);
  await using stack = new AsyncDisposableStack();
  await startWork(workspace, log, stack);
  const mounts: readonly Mount[] = [dashboard(), ...measure(workspace)];
  const doors = stack.use(await openDoors(workspace, { socketPath, onBug: end.bug, mounts }));
  log.info({ dir, socketPath, http: doors.origin, pid: process.pid }, "ready");
  onReady({ socketPath });
  void follow(workspace).catch(end.bug);
  const code = await end.code;
  log.info({ code }, "ending");
  workspace.endWork();
  return code;
}

async function startWork(
  workspace: OpenWorkspace,
  log: Logger,
  stack: AsyncDisposableStack,
): Promise<void> {
  const { house, config, events, queued, operations } = workspace;
  stack.use(startAfterRuns(workspace));
  const workers = stack.use(startWorkers(workspace));
  queued.listener = async () => workers.wake();
  if (config.improve.automatic) {
    const improver = stack.use(startImprover(workspace));
    stack.use(watchEngine(workspace, improver.wake));
    if (house.model !== null) stack.use(watchModel(workspace, improver.wake));
    events.onEvent(({ kind }) => {
      if (kind === "incident.opened") improver.wake();
    });
  }
  events.onEvent(({ kind, skill, detail }) => log.info({ skill, ...detail }, kind));
  const follower = stack.use(followChanges(workspace));
  events.onEvent(({ kind }) => {
    if (kind.startsWith("release.")) follower.soon();
  });
  if (config.schedules.length > 0) {
    // Loaded only where something is to be done at set times.
    const { startSchedules } = await import("./schedule.ts");
    stack.use(startSchedules(workspace, operations));
  }
  const onTrouble = (sentence: string): void => log.warn(sentence);
  if (config.model.serve.automatic) {
    // Loaded only where a model is served.
    const { keepModelUp } = await import("./keep-model-up.ts");
    stack.use(keepModelUp({ dir: workspace.dir, config, env: process.env }, { onTrouble }));
  }
  stack.use(keepWalSmall(house.store, { ...CHECKPOINTS, onTrouble }));
  workers.wake();
}

/** The log: JSON lines in data/run/hone.log, written before the process ends. */
async function logIn(dir: string, level: Config["logLevel"]): Promise<Logger> {
  const file = path.join(dir, "data", "run", "hone.log");
  await mkdir(path.dirname(file), { recursive: true });
  const destination = pino.destination({ dest: file, sync: true, mkdir: true });
  // A full disk takes no line; the work goes on, and the status says what the ledger cannot take.
  destination.on("error", () => undefined);
  return pino({ level, base: null }, destination);
}

/** What ends the daemon: the first signal gently, the second at once, a bug with its reason logged. */
function endOf(log: Logger): {
  readonly code: Promise<number>;
  readonly bug: (thrown: unknown) => void;
} {
  const { promise, resolve } = Promise.withResolvers<number>();
  let isEnding = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isEnding) process.exit(signal === "SIGINT" ? 130 : 143);
    isEnding = true;
    log.info({ signal }, "stopping");
    resolve(0);
  };
  const bug = (thrown: unknown): void => {
    const stack = thrown instanceof Error ? thrown.stack : undefined;
    log.fatal({ reason: messageOf(thrown), stack }, "a bug ends the daemon");
    process.stderr.write(`hone: a bug ends the daemon: ${messageOf(thrown)}\n`);
    resolve(1);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  process.on("uncaughtException", bug);
  process.on("unhandledRejection", bug);
  return { code: promise, bug };
}
