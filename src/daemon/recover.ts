import type { ReleaseRecord, Store } from "../ports/store.ts";
import type { Workspace } from "./workspace.ts";

/**
 * After any death: what was half done is finished or given up. A pending release whose commit is
 * part of `hone` was made, any other was not; tasks under way go back into the queue; locks that no
 * living git holds are removed.
 */
export async function recover({ house }: Pick<Workspace, "house">): Promise<void> {
  const { store, repository } = house;
  const locks = await repository.clearStaleLocks();
  if (locks.length > 0) house.tell("locks.cleared", null, { locks });
  const head = await repository.head();
  for (const pending of store.releases({ states: ["pending"], limit: 1_000 })) {
    const isMade = await repository.isAncestor(pending.commit, head).catch(() => false);
    if (!isMade) {
      store.setRelease(pending.commit, "aborted", "the process died before the branch was moved");
      continue;
    }
    if (pending.reverts === null) finishRelease(pending, store);
    else finishRollback(pending, pending.reverts, store);
    house.tell("release.recovered", pending.skill, { commit: pending.commit });
  }
  for (const { id } of store.incidents({ states: ["improving"], limit: 1_000 })) {
    store.setIncident(id, { state: "open" });
  }
  const requeued = store.requeueRunning();
  if (requeued > 0) house.tell("tasks.requeued", null, { tasks: requeued });
}

function finishRelease(made: ReleaseRecord, store: Store): void {
  const { commit, incidentId, candidateId, reason } = made;
  store.setRelease(commit, "watching", reason);
  if (incidentId !== null) store.setIncident(incidentId, { state: "repaired", note: reason });
  if (candidateId !== null) store.setCandidate(candidateId, "released");
}

function finishRollback(revert: ReleaseRecord, reverted: string, store: Store): void {
  store.setRelease(reverted, "rolled-back", revert.reason);
  const candidateId = store.release(reverted)?.candidateId ?? null;
  if (candidateId !== null) store.setCandidate(candidateId, "rejected");
  store.setRelease(revert.commit, "kept", revert.reason);
}
