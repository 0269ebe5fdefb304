import type { Canary } from "./domain/canary.ts";
import { HoneError, messageOf } from "./domain/errors.ts";
import type { Release } from "./domain/release.ts";
import { isRepeatable } from "./domain/shadow.ts";
import type { Skill } from "./domain/skill.ts";
import type { House } from "./ports/house.ts";
import * as ledger from "./records.ts";
import { watch } from "./stages/8-watch.ts";
import { rollback } from "./stages/9-rollback.ts";
import { baseOf, canaryIn } from "./versions.ts";

/**
 * Releases under watch: keep watching, keep, or take back. One that something has replaced cannot
 * be taken back and is watched no more. The run that brought us here stands, whatever becomes of it.
 */
export async function mindRelease(name: string, house: House, signal: AbortSignal): Promise<void> {
  // To judge one is to run it.
  if (house.isInSafeMode()) return;
  for (const made of house.store.watched(name)) {
    try {
      const active = await house.library.active(name);
      const { version } = active;
      if (version === made.commit) await judgeRelease(made, active, house, signal);
      else await house.alone(async () => ledger.recordReplaced(made, version, house));
    } catch (error) {
      if (!(error instanceof HoneError) || signal.aborted) throw error;
      if (isWatched(made, house)) ledger.recordStuckRollback(made, messageOf(error), house);
    }
  }
}

function isWatched({ commit }: Release, { store }: House): boolean {
  return store.release(commit)?.state === "watching";
}

/** Pairs count from the first run on, whether there are any yet or not: see `regressed`. */
function pairsOf({ commit }: Release, skill: Skill, { store, settings }: House) {
  if (!isRepeatable(skill) || settings.shadow.share === 0) return {};
  return { pairs: store.shadows(commit, settings.watch.maximumRuns) };
}

async function judgeRelease(
  made: Release,
  skill: Skill,
  house: House,
  signal: AbortSignal,
): Promise<void> {
  const canary = canaryIn(made, skill, house);
  house.traffic.canaries.set(made.commit, canary);
  tellShare(made, canary, house);
  const ports = {
    ...house,
    ...pairsOf(made, skill, house),
    settings: house.settings.watch,
    skillAt: (name: string, version: string) => house.library.at(name, version),
    unrecorded: "reading" as const,
  };
  const decision = await watch({ ...made, previous: baseOf(made, house) }, ports, signal);
  if (decision.status === "watching" || !isWatched(made, house)) return;
  house.traffic.canaries.delete(made.commit);
  if (decision.status === "kept") ledger.recordKept(made, decision.reason, house);
  else await takeBack(made, { reason: decision.reason, by: "hone" }, house);
}

/** A share of the live work that has changed. A release that has all of it from the start is no news. */
function tellShare({ commit, skill }: Release, canary: Canary, { store, tell }: House): void {
  const key = `canary/${commit}`;
  const before = store.note(key);
  const now = String(canary.share);
  if (before === now) return;
  store.setNote(key, now);
  if (before === null && canary.share >= 1) return;
  const kind = canary.share < 1 ? "canary.began" : "canary.ended";
  tell(kind, skill, { commit, ...canary });
}

/** Gives a skill back what it was before a release, by one revert commit. */
export async function takeBack(
  made: Release,
  why: { readonly reason: string; readonly by: string },
  house: House,
): Promise<Release> {
  return await house.alone(async () =>
    ledger.recordRollback(made, await rollback({ made, ...why }, house), house),
  );
}
