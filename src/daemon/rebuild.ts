import type { CommitInfo, Repository } from "../ports/repository.ts";
import type { House } from "../ports/house.ts";
import type { Store } from "../ports/store.ts";
import type { Evidence } from "../domain/release.ts";

/** A lost ledger is written again as far as git knows, and a person is told. */
export async function relearn(house: House, lost: string | null): Promise<void> {
  const found = await rebuild(house.repository, house.store, await house.library.names());
  if (lost === null && found === 0) return;
  const said = `the ledger was rebuilt from git with ${found} releases${lost === null ? "" : `: ${lost}`}`;
  house.store.setNote("ledger-rebuilt", said);
  house.tell("ledger.rebuilt", null, { releases: found, lost });
}

/**
 * A ledger that was lost is written again as far as git knows: the releases with their evidence,
 * and which of them were taken back. Live runs, rewards and incidents are gone. Returns how many
 * releases were found.
 */
async function rebuild(
  repository: Repository,
  store: Store,
  skills: readonly string[],
): Promise<number> {
  let found = 0;
  for (const skill of skills) {
    const commits = await repository.history(`skills/${skill}`, 1_000);
    const reverted = new Set(commits.flatMap(({ trailers }) => trailers["Hone-Reverts"] ?? []));
    for (const [at, info] of commits.entries()) {
      if (!isRelease(info) || store.release(info.commit) !== null) continue;
      const previous = commits[at + 1]?.commit ?? info.parents[0] ?? info.commit;
      await add(
        info,
        { skill, previous, isReverted: reverted.has(info.commit) },
        repository,
        store,
      );
      found += 1;
    }
  }
  return found;
}

function isRelease({ trailers }: CommitInfo): boolean {
  return trailers["Hone-Evidence"] !== undefined || trailers["Hone-Reverts"] !== undefined;
}

async function add(
  info: CommitInfo,
  known: { readonly skill: string; readonly previous: string; readonly isReverted: boolean },
  repository: Repository,
  store: Store,
): Promise<void> {
  const text = await repository.evidence(info.commit);
  const reason = info.subject.replace(/^skill\([^)]*\): /, "");
  store.addPendingRelease({
    commit: info.commit,
    skill: known.skill,
    previous: known.previous,
    incidentId: null,
    candidateId: null,
    reverts: info.trailers["Hone-Reverts"] ?? null,
    state: "pending",
    releasedAt: info.at,
    reason,
    evidence: text === null ? null : (JSON.parse(text) as Evidence),
  });
  store.setRelease(info.commit, known.isReverted ? "rolled-back" : "kept", reason);
}
