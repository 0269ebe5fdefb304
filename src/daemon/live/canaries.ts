import type { JsonObject } from "../../domain/json.ts";
import type { House } from "../../ports/house.ts";
import { baseOf, canaryIn } from "../../versions.ts";

/**
 * Releases under watch, of one skill or of all: the share of the live work that each has, and how it
 * does beside the version before.
 */
export async function canariesIn(house: House, skill?: string): Promise<readonly CanaryRow[]> {
  const { store, library, settings } = house;
  const rows: CanaryRow[] = [];
  const all = { states: ["watching"] as const, limit: MOST };
  const watched = skill === undefined ? store.releases(all) : store.watched(skill);
  for (const made of watched) {
    const version = await library.at(made.skill, made.commit);
    if (version === null) continue;
    const { share, reason } = canaryIn(made, version, house);
    const most = settings.watch.maximumRuns;
    const before = baseOf(made, house);
    const rewards = store.rewards(made.skill, made.commit, most);
    const pairs = store.shadows(made.commit, most);
    rows.push({
      skill: made.skill,
      commit: made.commit,
      share,
      reason,
      before,
      runs: rewards.length,
      meanReward: meanOf(rewards),
      meanBefore: meanOf(store.rewards(made.skill, before, most)),
      shadows: pairs.length,
      shadowsDiffer: pairs.filter(({ isSame }) => !isSame).length,
    });
  }
  return rows;
}

type CanaryRow = JsonObject & { readonly commit: string; readonly share: number };

/** Releases that are told of. */
const MOST = 20;

function meanOf(rewards: readonly number[]): number | null {
  if (rewards.length === 0) return null;
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
}
