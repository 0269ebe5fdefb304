export type BlindFacts = {
  /** The latest scored live rewards of a version. */
  readonly rewards: readonly number[];
  /** Whether callers say what they expect of these runs. */
  readonly isExpected: boolean;
};

/**
 * Whether a reward measures nothing, in one sentence: run after run the same score. The best score,
 * where callers say what they expect and get it, is what is hoped for; nought is a matter of
 * incidents. A score in between that never moves is suspected sooner. `most` runs are needed, 0: never.
 */
export function blindness({ rewards, isExpected }: BlindFacts, most: number): string | null {
  const last = rewards.at(-1);
  if (most === 0 || last === undefined || last === 0 || (last === 1 && isExpected)) return null;
  const wanted = last === 1 ? most : Math.min(most, SOONER);
  const latest = rewards.slice(-wanted);
  if (latest.length < wanted || latest.some((reward) => reward !== last)) return null;
  return last === 1
    ? `each of the last ${wanted} runs scored 1, and no caller said what was expected: this reward tells good from bad nowhere`
    : `each of the last ${wanted} runs scored ${last}: a part of this reward never moves`;
}

const SOONER = 100;
