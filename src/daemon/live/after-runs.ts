import { inBackground } from "./background.ts";
import { rewardWatch } from "./reward-watch.ts";
import { startShadows } from "./shadows.ts";
import { upstreamWatch } from "./upstream-watch.ts";
import type { Workspace } from "../workspace.ts";

/** Part of the time that looking for drift may take at most. */
const DRIFT_LOAD = 0.1;

/** What becomes of live runs beside their answers: some are repeated, and all are looked at for drift. */
export function startAfterRuns(workspace: Workspace): AsyncDisposable {
  const { house, config, signal } = workspace;
  const shadows = startShadows(workspace);
  const common = { load: DRIFT_LOAD, isBusy: () => false, signal };
  // No version is left out; of answers, those that come too fast are a sample.
  const rewards = inBackground({ ...common, most: 5_000 });
  const answers = inBackground({ ...common, most: 64 });
  const watches = [
    rewardWatch(workspace, rewards),
    ...(config.drift.shapes ? [upstreamWatch(workspace, answers)] : []),
  ];
  house.traffic.onRun = (run) => {
    shadows.onRun(run);
    for (const watch of watches) watch(run);
  };
  return {
    async [Symbol.asyncDispose]() {
      house.traffic.onRun = () => undefined;
      await shadows[Symbol.asyncDispose]();
      await rewards[Symbol.asyncDispose]();
      await answers[Symbol.asyncDispose]();
    },
  };
}
