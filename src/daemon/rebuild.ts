import { noteServed } from "./served-versions.ts";
import type { CommitInfo } from "../ports/repository.ts";
import type { House } from "../ports/house.ts";
import type { Evidence } from "../domain/release.ts";

/**
 * A ledger that was lost, or is older than git, is written again as far as git knows, and a person
 * is told.
 */
export async function relearn(
  house: House,
  { isNew, recovered: lost }: { readonly isNew: boolean; readonly recovered: string | null },
): Promise<void> {
  if (!isNew && lost === null && !(await isBehind(house))) return;
  const names = new Set([...(await house.library.names()), ...(await retiredIn(house))]);
  const found = await rebuild(house, [...names]);
  await noteServed(await house.library.names(), house);
  if (lost === null && found === 0) return;
  const said = `the ledger was rebuilt from git with ${found} releases${lost === null ? "" : `: ${lost}`}`;
  house.store.setNote("ledger-rebuilt", said);
  house.tell("ledger.rebuilt", null, { releases: found, lost });
}

/** Skills that hone removed with a person's word, as the history names them. */
async function retiredIn({ repository }: House): Promise<readonly string[]> {
  const commits = await repository.history("skills", MOST_COMMITS);
  return commits
    .filter(({ trailers }) => trailers["Hone-Retires"] !== undefined)
    .flatMap(({ subject }) => /^skill\(([a-z0-9-]+)\): /.exec(subject)?.[1] ?? []);
}

/** Commits of a folder that are looked through. */
const MOST_COMMITS = 1_000;

/** The newest commits tell whether a ledger is older than git: a backup, or one whose WAL was cut. */
const LOOKED_AT = 5;

/** Whether git has releases that the ledger does not know. */
async function isBehind({ repository, store }: House): Promise<boolean> {
  const commits = await repository.history("skills", LOOKED_AT);
  return commits.some((info) => isRelease(info) && store.release(info.commit) === null);
}

/**
 * A ledger that was lost is written again as far as git knows: the releases with their evidence,
 * which of them were taken back, and what was refused with them. Live runs, rewards and incidents
 * are gone, and with them whether the active release was watched to the end: it is watched again.
 * Returns how many releases were found.
 */
async function rebuild(house: House, skills: readonly string[]): Promise<number> {
  const { repository, store } = house;
  let found = 0;
  for (const skill of skills) {
    const commits = await repository.history(`skills/${skill}`, MOST_COMMITS);
    const reverted = new Set(commits.flatMap(({ trailers }) => trailers["Hone-Reverts"] ?? []));
    for (const [at, info] of commits.entries()) {
      if (!isRelease(info) || store.release(info.commit) !== null) continue;
      const previous = commits[at + 1]?.commit ?? info.parents[0] ?? info.commit;
      const isReverted = reverted.has(info.commit);
      const isActive = at === 0 && !isReverted && info.trailers["Hone-Reverts"] === undefined;
      const state = isReverted ? "rolled-back" : isActive ? "watching" : "kept";
      await add(info, { skill, previous, state }, house);
      found += 1;
    }
  }
  return found;
}

const MARKS = ["Hone-Evidence", "Hone-Reverts", "Hone-Retires"];

function isRelease({ trailers }: CommitInfo): boolean {
  return MARKS.some((mark) => trailers[mark] !== undefined);
}

async function add(
  info: CommitInfo,
  known: {
    readonly skill: string;
    readonly previous: string;
    readonly state: "rolled-back" | "watching" | "kept";
  },
  { repository, store, library }: House,
): Promise<void> {
  const text = await repository.evidence(info.commit);
  const evidence = text === null ? null : (JSON.parse(text) as Evidence);
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
    evidence,
  });
  store.setRelease(info.commit, known.state, reason);
  if (evidence === null || known.state !== "rolled-back") return;
  // What was taken back is not to be proposed again, whatever else is forgotten.
  const skill = await library.at(known.skill, info.commit);
  if (skill !== null) store.refuse(evidence.incident.signature, skill.digest);
}
