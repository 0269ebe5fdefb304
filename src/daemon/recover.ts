import { settle } from "./settle.ts";
import { countUnfinished } from "./repairs/unfinished.ts";
import type { Workspace } from "./workspace.ts";

/**
 * After any death: what was half done is finished or given up (see `settle`); tasks under way go
 * back into the queue; locks that no living git holds are removed, and so are containers.
 */
export async function recover({ house }: Pick<Workspace, "house">): Promise<void> {
  const { store, repository, containers } = house;
  // Nobody waits for an engine that may be gone, but at the end.
  void containers?.recover();
  const locks = await repository.clearStaleLocks();
  if (locks.length > 0) house.tell("locks.cleared", null, { locks });
  await settle(house);
  for (const { id } of store.incidents({ states: ["improving"], limit: 1_000 })) {
    countUnfinished(id, store);
    store.setIncident(id, { state: "open" });
  }
  const requeued = store.requeueRunning();
  if (requeued > 0) house.tell("tasks.requeued", null, { tasks: requeued });
}
