import { lowerBound, SHARES } from "./betting.ts";

export type FallenSettings = {
  /** Runs in the mean until a false alarm, at least. */
  readonly falseAlarmRuns: number;
  /** A drop of the mean reward up to this size is accepted. */
  readonly tolerance: number;
};

/** What is known of one version's live rewards, run by run. */
export type RewardWatch = {
  /** The first rewards of the version, by which its own are measured; no more than `LEARNT`. */
  readonly first: readonly number[];
  /** What its mean reward is above; null while it is being learnt. */
  readonly floor: number | null;
  /** The wealth of the detector, by the share that is bet. */
  readonly wealth: readonly number[];
  /** The latest rewards, the last of them last; no more than `LATEST`. */
  readonly latest: readonly number[];
};

/** Rewards by which the usual mean is learnt, and by which a fall is over. */
const LEARNT = 100;
const LATEST = 20;
/** Chance that the mean of what was learnt lies below its floor. */
const FLOOR_DELTA = 0.001;

/** Nothing is known yet. */
export const UNWATCHED: RewardWatch = {
  first: [],
  floor: null,
  wealth: SHARES.map(() => 0),
  latest: [],
};

/**
 * One reward more. After the first hundred, each reward x is bet on being below the floor m of the
 * usual mean: a bettor's wealth w becomes (w + 1)·(1 − c + c·(1 − x)/(1 − m)). Each run begins a bet
 * of its own, so a fall is seen whenever it begins; and the sum over all of them reaches a bound b by
 * chance after b runs in the mean at the earliest (the Shiryaev-Roberts e-detector of Shin, Ramdas and
 * Rinaldo, "E-detectors", NEJSDS 2023). The floor holds with a chance of 99.9 %.
 */
export function seen(
  { first, floor, wealth, latest }: RewardWatch,
  reward: number,
  { tolerance }: FallenSettings,
): RewardWatch {
  const now = [...latest, reward].slice(-LATEST);
  if (floor === null) {
    const learnt = [...first, reward];
    const isEnough = learnt.length >= LEARNT;
    const found = isEnough ? Math.max(0, lowerBound(learnt, FLOOR_DELTA) - tolerance) : null;
    return { first: learnt, floor: found, wealth, latest: now };
  }
  const odds = (1 - reward) / (1 - floor);
  const next = wealth.map((before, at) => {
    const share = SHARES[at] ?? 0;
    return Math.min(MOST_WEALTH, (before + 1) * (1 - share + share * odds));
  });
  return { first, floor, wealth: next, latest: now };
}

const MOST_WEALTH = 1e300;

/** Whether the live reward has fallen. */
export function hasFallen({ wealth }: RewardWatch, { falseAlarmRuns }: FallenSettings): boolean {
  return wealth.reduce((sum, one) => sum + one / SHARES.length, 0) >= falseAlarmRuns;
}

/** Whether a fall is over: the latest rewards are what they used to be. */
export function hasRecovered({ floor, latest }: RewardWatch): boolean {
  return floor !== null && latest.length === LATEST && meanOf(latest) >= floor;
}

/** The same watch after a fall that is over: its bets begin anew. */
export function recovered(watch: RewardWatch): RewardWatch {
  return { ...watch, wealth: UNWATCHED.wealth };
}

/** The fall in words. */
export function fallText({ first, latest }: RewardWatch): string {
  const [now, before] = [meanOf(latest).toFixed(2), meanOf(first).toFixed(2)];
  return `mean reward ${now} over the last ${latest.length} runs, ${before} over the first ${first.length} of this version`;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
