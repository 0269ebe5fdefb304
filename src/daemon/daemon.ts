import type { Config } from "../config.ts";
import { HoneError } from "../domain/errors.ts";
import type { Operations } from "../ports/operations.ts";
import { dashboard } from "../serve/http/dashboard.ts";
import type { Mount } from "../serve/http/mount.ts";
import type { Serving } from "../serve/http/server.ts";
import { socketPathOf } from "../serve/http/socket-path.ts";
import { refuseSecond } from "../serve/http/unix-socket.ts";
import { startWork, type AtWork } from "./at-work.ts";
import { openWorkspace, requireNativeModules, waitForLock, type OpenWorkspace } from "./compose.ts";
import { openDoors } from "./doors.ts";
import { listenForEnd, type Ending } from "./life/ending.ts";
import { follow } from "./follow.ts";
import { keepQuiet } from "./life/keep-quiet.ts";
import { beginLife, type Life } from "./life/life.ts";
import { lifeOperations } from "./life/life-operations.ts";
import { openLog, type DaemonLog } from "./life/log.ts";
import { mcpMount } from "./agents/mcp.ts";
import { measure } from "./measure.ts";
import { reloadingOf } from "./life/reloading.ts";

export type DaemonOptions = {
  /** Reads the settings: at the start, and again whenever that is asked for. */
  readonly load: () => Promise<Config>;
  /** Leaves safe mode, whatever has happened. */
  readonly isNormal?: boolean;
  /** Shown each line of the log, where somebody looks on. */
  readonly onLog?: (line: string) => void;
  /** Called once, when calls are answered. */
  readonly onReady: (ready: {
    readonly socketPath: string;
    /** Where browsers and programs with the token reach it; null: nowhere. */
    readonly http: string | null;
  }) => void;
};

/** How long another process may still have the workspace, in milliseconds. */
const LOCK_MS = 3_000;

/**
 * The daemon's life: opens the workspace, serves it, works until a signal or a bug, and leaves
 * everything behind as it should be. Resolves with the exit code: 0 after SIGTERM or SIGINT, 1 after
 * a bug; a second signal ends it at once.
 */
export async function runDaemon(dir: string, options: DaemonOptions): Promise<number> {
  const { load, isNormal = false, onLog } = options;
  const config = await load();
  const socketPath = socketPathOf(dir);
  // Before anything is touched: whoever answers there has the workspace, whatever became of its lock.
  await refuseSecond(socketPath);
  requireNativeModules();
  await using stack = new AsyncDisposableStack();
  stack.use(await waitForLock(dir, LOCK_MS));
  const log = stack.use(openLog(dir, config, onLog));
  const life = beginLife(dir, { config, isNormal, onTrouble: (said) => log.log.warn(said) });
  stack.defer(life.end);
  const ending = stack.use(listenForEnd(log.log, life, { drainMs: () => config.life.drainMs }));
  tellBeginning(life, log);
  try {
    return await live({ dir, config, socketPath, log, life, ending }, options);
  } catch (error) {
    if (error instanceof HoneError) log.log.fatal({ reason: error.message }, "the daemon ends");
    else ending.bug(error);
    throw error;
  }
}

type Parts = {
  readonly dir: string;
  readonly config: Config;
  readonly socketPath: string;
  readonly log: DaemonLog;
  readonly life: Life;
  readonly ending: Ending;
};

async function live(parts: Parts, { load, onReady }: DaemonOptions): Promise<number> {
  const { dir, config, socketPath, log, life, ending } = parts;
  await using workspace = await openWorkspace(dir, {
    config,
    exclusive: true,
    daemon: { ...life, troubles: log.troubles },
  });
  await using work = await startWork(workspace, log.log);
  const reloading = reloadingOf({
    ...workspace,
    load,
    onApplied: async (keys) => {
      log.follow(config);
      await work.refresh(keys);
    },
  });
  const toNormal = async (): Promise<void> => await work.refresh([]);
  using _quiet = keepQuiet(life, { tell: workspace.house.tell, toNormal });
  const operations: Operations = {
    ...workspace.operations,
    ...lifeOperations(workspace, { life, log, reloading, toNormal }),
  };
  using _reload = reloadOnSignal(operations);
  const onTrouble = (sentence: string): void => log.log.warn(sentence);
  const mcp = mcpMount({ ...workspace, operations }, { onBug: ending.bug, onTrouble });
  const mounts: readonly Mount[] = [mcp.mount, dashboard(), ...measure(workspace)];
  const opening = { socketPath, onBug: ending.bug, mounts };
  await using serving = await openDoors({ ...workspace, operations }, opening);
  // Those that listen are let go before the doors close.
  await using _mcp = mcp;
  if (!ending.isEnding()) {
    const ready = { socketPath, http: serving.origin };
    log.log.info({ dir, ...ready, pid: process.pid }, "ready");
    onReady(ready);
    void follow(workspace).catch(ending.bug);
  }
  const code = await ending.code;
  await drain({ workspace, work, serving, drainMs: code === 0 ? config.life.drainMs : 0 });
  log.log.info({ code }, "ended");
  return code;
}

/** How the last life ended, and whether this one is in safe mode. */
function tellBeginning({ hasDied, lastCrash, mode }: Life, { log }: DaemonLog): void {
  if (hasDied && lastCrash !== null)
    log.warn({ reason: lastCrash.reason }, "the last daemon crashed");
  if (mode.current !== null) log.error({ why: mode.current.why }, "safe mode");
}

/** SIGHUP: settings that are refused are told in the log and the status. */
function reloadOnSignal(operations: Pick<Operations, "reload">): Disposable {
  const onSignal = (): void =>
    void operations.reload({}).catch((error: unknown) => {
      if (!(error instanceof HoneError)) throw error;
    });
  process.on("SIGHUP", onSignal);
  return { [Symbol.dispose]: () => void process.off("SIGHUP", onSignal) };
}

/** Takes nothing new, lets calls and tasks under way finish for a while, and ends what is left. */
async function drain({
  workspace,
  work,
  serving,
  drainMs,
}: {
  readonly workspace: OpenWorkspace;
  readonly work: AtWork;
  readonly serving: Serving;
  readonly drainMs: number;
}): Promise<void> {
  workspace.endWork();
  const late = setTimeout(workspace.endRuns, drainMs);
  await Promise.all([serving.close(drainMs), work.finished()]);
  clearTimeout(late);
  workspace.endRuns();
}
