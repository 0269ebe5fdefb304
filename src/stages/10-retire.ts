import { retirementMessage } from "../domain/commit-message.ts";
import { HoneError } from "../domain/errors.ts";
import type { Release } from "../domain/release.ts";
import type { Repository } from "../ports/repository.ts";
import type { Store } from "../ports/store.ts";

export type RetirePorts = {
  readonly repository: Repository;
  readonly store: Store;
  readonly now: () => number;
};

/**
 * A skill that a person lets go → one commit without its folder. Nothing leaves the history, and
 * what is recorded is a release like any other, so that a rollback brings the skill back. Throws
 * `refused` where a person has uncommitted work on it.
 */
export async function retire(
  { skill, reason, by }: { readonly skill: string; readonly reason: string; readonly by: string },
  { repository, store, now }: RetirePorts,
): Promise<Release> {
  const folder = `skills/${skill}`;
  const dirty = await repository.uncommitted(folder);
  if (dirty.length > 0) {
    throw new HoneError("refused", `${dirty.join(", ")} has changes that are not committed`, {
      hint: "Commit or undo them; hone does not retire a skill over a person's work.",
    });
  }
  const parent = await repository.head();
  const previous = await repository.lastChange(parent, folder);
  const files = await repository.files(parent, folder);
  const changes = Object.fromEntries(files.map(({ path }) => [path, null]));
  const message = retirementMessage({ skill, version: previous, reason, by });
  const prepared = await repository.prepare(parent, changes, message);
  const made: Release = {
    commit: prepared.commit,
    skill,
    previous,
    incidentId: null,
    candidateId: null,
    reverts: null,
    state: "pending",
    releasedAt: now(),
    reason: `retired: ${reason}`,
  };
  store.addPendingRelease({ ...made, evidence: null });
  try {
    await repository.advance(prepared, null);
  } catch (error) {
    // git may have been ended after it had moved the branch: what stands, stands.
    if ((await repository.head()) !== prepared.commit) {
      store.setRelease(prepared.commit, "aborted", "the branch could not be moved");
      throw error;
    }
  }
  store.promote(prepared.commit);
  return { ...made, state: "watching" };
}
