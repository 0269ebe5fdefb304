import { HoneError } from "../domain/errors.ts";
import type { House } from "../ports/house.ts";
import type { Repository } from "../ports/repository.ts";
import { oneAtATime } from "./one-at-a-time.ts";

type SettlePorts = Pick<House, "store" | "repository" | "tell">;

/** Turns of those who move the branch: one at a time, each after what was left half done is settled. */
export function settlingFirst(ports: SettlePorts): House["alone"] {
  const inTurn = oneAtATime();
  return async (work) =>
    await inTurn(async () => {
      await settle(ports);
      return await work();
    });
}

/**
 * Finishes or gives up what a death, a full disk or a lost answer left half done: a pending release
 * or rollback whose commit is part of `hone` was made, any other was not. Rejects where git cannot
 * say; then everything stays as it is.
 */
export async function settle({ store, repository, tell }: SettlePorts): Promise<void> {
  const pending = store.releases({ states: ["pending"], limit: 1_000 });
  if (pending.length === 0) return;
  const head = await repository.head();
  for (const { commit, skill } of pending) {
    if (await isPartOf(head, commit, repository)) {
      store.promote(commit);
      tell("release.recovered", skill, { commit });
    } else {
      store.setRelease(commit, "aborted", "hone was stopped before the branch was moved");
    }
  }
}

/** A commit that was never synced may be gone after the loss of power, or pruned since. */
async function isPartOf(head: string, commit: string, repository: Repository): Promise<boolean> {
  try {
    await repository.info(commit);
  } catch (error) {
    if (error instanceof HoneError && error.code === "not-found") return false;
    throw error;
  }
  return await repository.isAncestor(commit, head);
}
