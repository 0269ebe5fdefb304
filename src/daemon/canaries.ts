import type { JsonObject } from "../domain/json.ts";
import type { House } from "../ports/house.ts";
import { baseOf, canaryIn } from "../versions.ts";

/** Releases under watch: the share of the live work that each has, and how it does beside the one before. */
export async function canariesIn(house: House): Promise<readonly JsonObject[]> {
  const { store, library, settings } = house;
  const rows: JsonObject[] = [];
  for (const made of store.releases({ states: ["watching"], limit: 20 })) {
    const skill = await library.at(made.skill, made.commit);
    if (skill === null) continue;
    const { share, reason } = canaryIn(made, skill, house);
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

function meanOf(rewards: readonly number[]): number | null {
  if (rewards.length === 0) return null;
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
}
