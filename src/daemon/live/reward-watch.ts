import { blindness } from "../../domain/blind.ts";
import {
  fallText,
  hasFallen,
  hasRecovered,
  recovered,
  seen,
  UNWATCHED,
  type RewardWatch,
} from "../../domain/fallen.ts";
import type { Run } from "../../domain/task.ts";
import { examine } from "../../examine/examine.ts";
import { end, raise } from "./alarms.ts";
import type { Background } from "./background.ts";
import type { Workspace } from "../workspace.ts";

/** Rewards of a version that are read when it is first met. */
const HISTORY = 1_000;
/** Versions that are kept in mind. */
const MOST = 4_000;
/** Whether a reward is blind is looked at once in so many runs. */
const LOOK_EVERY = 100;

type Standing = { watch: RewardWatch; runs: number; isAlarmed: boolean };

/**
 * Watches the live rewards of each version: whether they have fallen while its cases pass, and whether
 * they measure anything. What is learnt is read from the ledger when a version is first met.
 */
export function rewardWatch(
  { house, config, signal }: Workspace,
  background: Pick<Background, "add">,
): (run: Run) => void {
  const standings = new Map<string, Standing | null>();
  const settings = { ...config.drift, tolerance: config.watch.tolerance };

  const load = async (skill: string, version: string): Promise<void> => {
    const rewards = house.store.rewards(skill, version, HISTORY);
    const watch = rewards.reduce((one, reward) => seen(one, reward, settings), UNWATCHED);
    const active = (await house.library.active(skill)).version;
    const alarms = house.store.alarms({ skill }).filter(({ kind }) => kind === "reward-fell");
    for (const old of alarms.filter(({ cause }) => cause !== version && cause !== active)) {
      end(old, "another version has taken its place", house);
    }
    const isAlarmed = alarms.some(({ cause }) => cause === version);
    standings.set(`${skill} ${version}`, { watch, runs: 0, isAlarmed });
    if (standings.size > MOST) standings.delete(standings.keys().next().value ?? "");
  };

  const fell = async ({ skill: name, version }: Run, watch: RewardWatch): Promise<void> => {
    const skill = await house.library.at(name, version);
    if (skill === null) return;
    const ports = { ...house, unrecorded: "closed" as const };
    const { judged } = await examine({ skill, cases: skill.cases }, ports, signal);
    const failing = judged.filter(({ passed }) => !passed).length;
    const cases = failing === 0 ? `all ${judged.length} cases pass` : `${failing} cases fail`;
    const text = `${fallText(watch)}; ${cases}`;
    raise({ kind: "reward-fell", skill: name, cause: version, text }, house);
  };

  const look = async ({ skill, version }: Run): Promise<void> => {
    const rewards = house.store.rewards(skill, version, config.drift.saturatedRuns);
    const latest = house.store.runs({ skill, version, heldOut: false, limit: 20 });
    const isExpected = latest.some(({ expectation }) => expectation !== null);
    const text = blindness({ rewards, isExpected }, config.drift.saturatedRuns);
    const alarm = { kind: "reward-blind", skill, cause: "one score" } as const;
    if (text === null) end(alarm, "its scores differ, or callers say what they expect", house);
    else raise({ ...alarm, text }, house);
  };

  return (run) => {
    if (run.reward.status !== "scored") return;
    const key = `${run.skill} ${run.version}`;
    const standing = standings.get(key);
    if (standing === undefined) {
      standings.set(key, null);
      background.add(async () => await load(run.skill, run.version));
    }
    if (standing === undefined || standing === null) return;
    standing.watch = seen(standing.watch, run.reward.score, settings);
    standing.runs += 1;
    if (standing.runs % LOOK_EVERY === 0) background.add(async () => await look(run));
    const { watch } = standing;
    if (standing.isAlarmed && hasRecovered(watch)) {
      Object.assign(standing, { watch: recovered(watch), isAlarmed: false });
      const of = { kind: "reward-fell", skill: run.skill, cause: run.version } as const;
      end(of, "the latest rewards are what they used to be", house);
    } else if (!standing.isAlarmed && hasFallen(watch, settings)) {
      standing.isAlarmed = true;
      background.add(async () => await fell(run, watch));
    }
  };
}
