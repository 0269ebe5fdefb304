import type { Logger } from "pino";
import { startAfterRuns } from "./live/after-runs.ts";
import { CHECKPOINTS, keepWalSmall, type OpenWorkspace } from "./compose.ts";
import { watchEngine } from "./engine-watch.ts";
import { followChanges } from "./follow.ts";
import { startImprover } from "./repairs/improver.ts";
import { watchModel } from "./model/model-watch.ts";
import { keepRetention } from "./retention.ts";
import { switched, type Switched } from "./life/switched.ts";
import { startWorkers } from "./workers.ts";

export type AtWork = {
  /** Starts and ends what settings and safe mode say now. Throws `bad-config` for schedules that are none. */
  readonly refresh: (changed: readonly string[]) => Promise<void>;
  /** Resolves when the tasks under way have ended. */
  readonly finished: () => Promise<void>;
} & AsyncDisposable;

/** All that the daemon does by itself: tasks, improvements, people's commits, schedules, the WAL. */
export async function startWork(workspace: OpenWorkspace, log: Logger): Promise<AtWork> {
  await using stack = new AsyncDisposableStack();
  const { house, config, events, queued, mode } = workspace;
  events.onEvent(({ kind, skill, detail }) =>
    log.info(skill === null ? detail : { skill, ...detail }, kind),
  );
  stack.use(startAfterRuns(workspace));
  const workers = stack.use(startWorkers(workspace));
  queued.listener = async () => workers.wake();
  const improving = stack.use(improvingSwitch(workspace));
  const follower = stack.use(followChanges(workspace));
  events.onEvent(({ kind }) => {
    if (kind.startsWith("release.")) follower.soon();
  });
  const scheduled = stack.use(new Scheduled(workspace));
  const onTrouble = (sentence: string): void => log.warn(sentence);
  if (config.model.serve.automatic) {
    // Loaded only where a model is served.
    const { keepModelUp } = await import("./model/keep-model-up.ts");
    stack.use(keepModelUp({ dir: workspace.dir, config, env: process.env }, { onTrouble }));
  }
  stack.use(keepWalSmall(house.store, { ...CHECKPOINTS, onTrouble }));
  stack.use(keepRetention(workspace));
  const refresh = async (changed: readonly string[]): Promise<void> => {
    if (changed.includes("schedules")) await scheduled.restart();
    improving.set(config.improve.automatic && mode.current === null);
    workers.wake();
  };
  await refresh(["schedules"]);
  const owned = stack.move();
  return {
    refresh,
    finished: workers.finished,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function improvingSwitch(workspace: OpenWorkspace): Switched {
  const { house, events } = workspace;
  let wake = (): void => undefined;
  events.onEvent(({ kind }) => {
    if (kind === "incident.opened") wake();
  });
  return switched((stack) => {
    const improver = stack.use(startImprover(workspace));
    stack.use(watchEngine(workspace, improver.wake));
    if (house.model !== null) stack.use(watchModel(workspace, improver.wake));
    wake = improver.wake;
    stack.defer(() => {
      wake = () => undefined;
    });
  });
}

/** The schedules of the settings, which may change. */
class Scheduled implements Disposable {
  readonly #workspace: OpenWorkspace;
  #running: Disposable | null = null;

  constructor(workspace: OpenWorkspace) {
    this.#workspace = workspace;
  }

  async restart(): Promise<void> {
    this[Symbol.dispose]();
    const { config, operations } = this.#workspace;
    if (config.schedules.length === 0) return;
    // Loaded only where something is to be done at set times.
    const { startSchedules } = await import("./schedules/schedule.ts");
    this.#running = startSchedules(this.#workspace, operations);
  }

  [Symbol.dispose](): void {
    this.#running?.[Symbol.dispose]();
    this.#running = null;
  }
}
