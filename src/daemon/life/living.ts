import { HoneError } from "../../domain/errors.ts";
import type { Operations } from "../../ports/operations.ts";
import { forgetCrashes } from "./life.ts";
import type { Workspace } from "../workspace.ts";

/** The operations about the daemon's own life, as they are where none is up. */
export function livingOf({
  dir,
  mode,
  house,
}: Workspace): Pick<Operations, "reload" | "leaveSafeMode"> {
  return {
    async reload() {
      throw new HoneError("daemon-unreachable", "There is no daemon that would read its settings", {
        hint: "A command reads them whenever it runs; `hone start` starts a daemon.",
      });
    },
    async leaveSafeMode({ by }) {
      const wasSafe = mode.current !== null;
      forgetCrashes(dir);
      mode.current = null;
      if (wasSafe) house.tell("safe-mode.left", null, { by });
      return { schemaVersion: 1, mode: "normal", wasSafe };
    },
  };
}
