import { rollbackMessage } from "../domain/commit-message.ts";
import { HoneError } from "../domain/errors.ts";
import type { Release } from "../domain/release.ts";
import type { Repository } from "../ports/repository.ts";
import type { Store } from "../ports/store.ts";

export type RollbackPorts = {
  readonly repository: Repository;
  readonly store: Store;
  readonly now: () => number;
};

/**
 * A release that did worse → one revert commit that gives the skill back the content it had
 * before. The regression suite stays as long as it was: the case that the release brought keeps
 * standing in cases.jsonl, so that the lesson is not lost. Throws `refused` where a person has
 * changed the skill since, or has uncommitted work on it.
 */
export async function rollback(
  { made, reason, by }: { readonly made: Release; readonly reason: string; readonly by: string },
  { repository, store, now }: RollbackPorts,
): Promise<Release> {
  const folder = `skills/${made.skill}`;
  const parent = await repository.head();
  const active = await repository.lastChange(parent, folder);
  if (active !== made.commit) {
    throw new HoneError("refused", `${made.skill} has changed since release ${made.commit}`, {
      hint: `\`hone log ${made.skill}\` shows by whom.`,
    });
  }
  const dirty = await repository.uncommitted(folder);
  if (dirty.length > 0) {
    throw new HoneError("refused", `${dirty.join(", ")} has changes that are not committed`, {
      hint: "Commit or undo them; hone does not roll back over a person's work.",
    });
  }
  const { subject } = await repository.info(made.commit);
  const message = rollbackMessage({
    skill: made.skill,
    reverted: made.commit,
    subject,
    restored: made.previous,
    reason,
    by,
  });
  const changes = await restored(folder, { from: made.previous, to: parent }, repository);
  const prepared = await repository.prepare(parent, changes, message);
  const revert: Release = {
    ...made,
    commit: prepared.commit,
    previous: made.commit,
    candidateId: null,
    reverts: made.commit,
    state: "pending",
    releasedAt: now(),
    reason,
  };
  store.addPendingRelease({ ...revert, evidence: null });
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
  return { ...revert, state: "kept" };
}

/** The folder's files as they were, but for the regression suite, which only ever grows. */
async function restored(
  folder: string,
  { from, to }: { readonly from: string; readonly to: string },
  repository: Repository,
): Promise<Record<string, string | null>> {
  const old = await repository.files(from, folder);
  const current = await repository.files(to, folder);
  const suite = `${folder}/cases.jsonl`;
  const blobs = new Map(current.map(({ path, blob }) => [path, blob]));
  const changes: Record<string, string | null> = {};
  for (const { path } of current) changes[path] = null;
  for (const { path, blob } of old) {
    if (blobs.get(path) === blob) delete changes[path];
    else changes[path] = await textToRestore(path, blob, repository);
  }
  // What was not there before goes as a whole: there is no suite without a skill.
  if (blobs.has(suite) && old.length > 0) delete changes[suite];
  return changes;
}

async function textToRestore(path: string, blob: string, repository: Repository): Promise<string> {
  const text = await repository.textOrNull(blob);
  if (text !== null) return text;
  throw new HoneError("refused", `${path} was another file before, and not a text`, {
    hint: "hone gives back texts only; `git revert` gives back this one.",
  });
}
