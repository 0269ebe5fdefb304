import type { JsonObject } from "../../domain/json.ts";
import type { Operations } from "../../ports/operations.ts";
import type { Life } from "./life.ts";
import type { DaemonLog } from "./log.ts";
import type { Reloading } from "./reloading.ts";
import type { OpenWorkspace } from "../compose.ts";

type Parts = {
  readonly life: Life;
  readonly log: DaemonLog;
  readonly reloading: Reloading;
  /** Takes up again what safe mode has stopped. */
  readonly toNormal: () => Promise<void>;
};

/** What a daemon answers about its own life, in place of what a command on the workspace does. */
export function lifeOperations(
  { operations, house }: OpenWorkspace,
  { life, log, reloading, toNormal }: Parts,
): Pick<Operations, "status" | "reload" | "leaveSafeMode"> {
  return {
    async status() {
      const status = await operations.status();
      const problems = status["problems"] as readonly string[];
      const { startedAt, lastCrash, quietAt } = life;
      return {
        ...status,
        pid: process.pid,
        startedAt,
        lastCrash: lastCrash === null ? null : { ...lastCrash },
        quietAt: quietAt(),
        log: { ...log.state() },
        problems: [...reloading.problems(), ...problems],
      } satisfies JsonObject;
    },
    reload: reloading.reload,
    async leaveSafeMode({ by }) {
      const wasSafe = life.mode.current !== null;
      life.leaveSafeMode();
      if (wasSafe) house.tell("safe-mode.left", null, { by });
      await toNormal();
      return { schemaVersion: 1, mode: "normal", wasSafe };
    },
  };
}
