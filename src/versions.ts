import { canaryOf, type Canary } from "./domain/canary.ts";
import type { Release } from "./domain/release.ts";
import { isInEvenShare } from "./domain/share.ts";
import type { Skill } from "./domain/skill.ts";
import type { Task } from "./domain/task.ts";
import { pinnedSkill } from "./pins.ts";
import type { House } from "./ports/house.ts";

/** The version of a skill that a piece of work has. Throws what `Library.active` does. */
export type Versions = (name: string) => Promise<Skill>;

/**
 * Which versions one task has: of each skill the one that is chosen when it is first needed, to the
 * end. That is the one it is pinned to, else the active one, unless that is a release under watch that
 * has a share of the work only: then the task's id decides, the same each time. In safe mode it is
 * what is known to be good.
 */
export function versionsFor({ id }: Pick<Task, "id">, house: House): Versions {
  const chosen = new Map<string, Promise<Skill>>();
  return async (name) => {
    const known = chosen.get(name) ?? chosenFor(id, name, house);
    chosen.set(name, known);
    return await known;
  };
}

async function chosenFor(task: string, name: string, house: House): Promise<Skill> {
  const pinned = await pinnedSkill(name, house);
  if (pinned !== null) return pinned;
  const active = await house.library.active(name);
  const safe = await house.safeVersion(active);
  if (safe !== null) return safe;
  const made = house.store.watched(name).find(({ commit }) => commit === active.version);
  if (made === undefined) return active;
  const { canaries } = house.traffic;
  const { share } = canaries.get(made.commit) ?? canaryIn(made, active, house);
  if (isInEvenShare(`${made.commit} ${task}`, share)) return active;
  return (await house.library.at(name, baseOf(made, house))) ?? active;
}

/** How much of the live work a release under watch has now. */
export function canaryIn(
  { commit, skill: name, incidentId, releasedAt, ...made }: Release,
  skill: Skill,
  house: Pick<House, "store" | "now" | "settings">,
): Canary {
  const { store, now, settings } = house;
  // No share is over before there could be a verdict.
  const runs = Math.max(settings.canary.runs, settings.watch.minimumRuns);
  const canary = { ...settings.canary, runs };
  const incident = incidentId === null ? null : store.incident(incidentId);
  const version = baseOf({ commit, ...made }, house);
  const since = incident?.openedAt ?? 0;
  const facts = {
    skill,
    mends: incident?.failureClass ?? null,
    before: store.rewardsSince({ skill: name, version, since, limit: LATEST }),
    runs: store.rewards(name, commit, canary.runs).length,
    ageMs: now() - releasedAt,
  };
  return canaryOf(facts, canary);
}

/** Runs of the version before by which it counts as broken. */
const LATEST = 20;

/**
 * The version that the rest of the work has, and that a release is held against: the one before it.
 * Where that was a release with a share of the work itself, it is not proven: then its own base.
 */
export function baseOf(
  { commit, previous }: Pick<Release, "commit" | "previous">,
  { store }: { readonly store: Pick<House["store"], "note"> },
): string {
  return store.note(`base/${commit}`) ?? previous;
}

/** Writes down the base of a release that was just made upon `skill`, before that counts as replaced. */
export function noteBase(made: Release, skill: Skill, house: House): void {
  const before = house.store.watched(made.skill).find(({ commit }) => commit === made.previous);
  if (before === undefined || canaryIn(before, skill, house).share >= 1) return;
  house.store.setNote(`base/${made.commit}`, baseOf(before, house));
}
