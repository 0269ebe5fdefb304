import { HoneError } from "../domain/errors.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Operations } from "../ports/operations.ts";
import type { TaskRecord } from "../ports/store.ts";
import type { Workspace } from "./workspace.ts";

/** The operation that ends a task before it is done: it counts as failed, and says who wished it. */
export function cancellingOf({
  house: { store, tell },
  underWay,
}: Pick<Workspace, "house" | "underWay">): Pick<Operations, "cancel"> {
  return {
    async cancel({ id, by }) {
      const found = store.task(id);
      if (found === null) throw new HoneError("not-found", `there is no task ${id}`);
      const { skill } = found.task;
      const reason = `cancelled by ${by}`;
      if (store.cancelTask(id, reason)) {
        tell("task.cancelled", skill, { task: id, by });
        return cancelled(id, skill);
      }
      const running = underWay.get(id);
      running?.cancel(by);
      await running?.ended;
      const now = store.task(id) ?? found;
      if (now.error === reason) return cancelled(id, skill);
      throw notCancelled(now);
    },
  };
}

function cancelled(task: string, skill: string): JsonObject {
  return { schemaVersion: 1, task, skill, result: "cancelled" };
}

/** It ended by itself first; or it waits to be queued again after its worker was lost. */
function notCancelled({ task: { id }, state }: TaskRecord): HoneError {
  const message = `task ${id} cannot be cancelled: it is ${state}`;
  if (state === "done" || state === "failed") return new HoneError("refused", message);
  return new HoneError("busy", message, { hint: "Try again in a moment.", retryable: true });
}
