import type { Run } from "../../domain/task.ts";
import { shadow, shadowedBy } from "../../shadowing.ts";
import { inBackground } from "./background.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Repeats a share of the live runs on the other version while a release is under watch: when no live
 * run is under way, and in a part of the time only.
 */
export function startShadows({ house, config, signal }: Workspace): {
  readonly onRun: (run: Run) => void;
} & AsyncDisposable {
  const { traffic, store } = house;
  const background = inBackground({
    most: 64,
    load: config.shadow.load,
    isBusy: () => traffic.running > 0,
    signal,
  });
  return {
    onRun(run) {
      const made = shadowedBy(run, house);
      if (made === null || house.isInSafeMode()) return;
      background.add(async () => {
        if (store.watched(run.skill)[0]?.commit !== made.commit) return;
        const told = await shadow(run, made, house, signal);
        if (told !== null) store.addShadow(told);
      });
    },
    [Symbol.asyncDispose]: () => background[Symbol.asyncDispose](),
  };
}
