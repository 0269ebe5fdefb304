import { HoneError } from "../domain/errors.ts";
import type { Repository } from "../ports/repository.ts";
import type { Store } from "../ports/store.ts";

/** Versions of a skill that are remembered. */
const MOST = 20;

/**
 * Writes down that what skills are at the head is served from now on. What a person committed on the
 * way there was never in force, though the history has it.
 */
export async function noteServed(
  skills: readonly string[],
  {
    repository,
    store,
  }: {
    readonly repository: Pick<Repository, "head" | "lastChange">;
    readonly store: Pick<Store, "note" | "setNote">;
  },
): Promise<void> {
  const head = await repository.head();
  for (const skill of skills) {
    const version = await versionAt(head, skill, repository);
    const known = notedOf(skill, store).filter((one) => one !== version);
    if (version !== null) {
      store.setNote(keyOf(skill), [version, ...known].slice(0, MOST).join(" "));
    }
  }
}

/** The versions of a skill that were in force, as far as the ledger knows. */
export function servedIn(
  store: Pick<Store, "note" | "releases" | "versionStats">,
): (skill: string) => ReadonlySet<string> {
  return (skill) => {
    const releases = store.releases({ skill, limit: 200 });
    return new Set([
      ...notedOf(skill, store),
      ...store.versionStats(skill).map(({ version }) => version),
      ...releases.flatMap(({ commit, previous }) => [commit, previous]),
    ]);
  };
}

function notedOf(skill: string, store: Pick<Store, "note">): readonly string[] {
  return (store.note(keyOf(skill)) ?? "").split(" ").filter((version) => version !== "");
}

function keyOf(skill: string): string {
  return `served/${skill}`;
}

/** Null for a skill that is deleted. */
async function versionAt(
  head: string,
  skill: string,
  repository: Pick<Repository, "lastChange">,
): Promise<string | null> {
  try {
    return await repository.lastChange(head, `skills/${skill}`);
  } catch (error) {
    if (error instanceof HoneError && error.code === "not-found") return null;
    throw error;
  }
}
