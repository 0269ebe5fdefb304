import type { House } from "../../ports/house.ts";
import type { Store } from "../../ports/store.ts";

/** Tasks that were under way when hone ended without a word, and are in the queue again. */
export type Suspects = {
  /** Whether one of them is still to be done: until then tasks are done one at a time. */
  readonly areLeft: () => boolean;
};

/** Tasks under way at a time are not more. */
const MOST = 200;

/**
 * After an end without a word, before tasks under way are queued again: one that was under way at so
 * many ends in a row is failed, because it takes hone with it each time. Those that are left are done
 * one at a time, so that the next end tells which of them it was.
 */
export function suspectsAfterDeath(
  { store, tell }: Pick<House, "store" | "tell">,
  mostDeaths: number,
): Suspects {
  const left: string[] = [];
  for (const { task } of store.runningTasks(MOST)) {
    const deaths = Number(store.note(keyOf(task.id)) ?? 0) + 1;
    store.setNote(keyOf(task.id), String(deaths));
    if (deaths < mostDeaths) {
      left.push(task.id);
      continue;
    }
    const reason = `hone ended ${deaths} times while it was under way`;
    store.failTask(task.id, reason);
    tell("task.failed", task.skill, { task: task.id, reason });
  }
  return { areLeft: () => isAnyLeft(left, store) };
}

/** Nothing has happened to tell one task from another. */
export const NO_SUSPECTS: Suspects = { areLeft: () => false };

function isAnyLeft(ids: string[], store: Pick<Store, "task">): boolean {
  for (;;) {
    const [id] = ids;
    if (id === undefined) return false;
    const state = store.task(id)?.state;
    if (state === "queued" || state === "running") return true;
    ids.shift();
  }
}

function keyOf(task: string): string {
  return `deaths/${task}`;
}
