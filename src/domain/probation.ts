export type ProbationSettings = {
  /** Days of live work before a verdict on a new skill. */
  readonly days: number;
  /** Live runs before a verdict on a new skill. */
  readonly minimumRuns: number;
};

/** What is known of a new skill's first time. */
export type Trial = {
  readonly bornAt: number;
  readonly now: number;
  /** Scored live rewards of the version that is active now, oldest first. */
  readonly rewards: readonly number[];
  /** The skill's own: a run below it falls short. */
  readonly threshold: number;
};

export type Probation =
  | { readonly status: "probation"; readonly reason: string }
  /** Its runs agree; its cases are to be asked once more. */
  | { readonly status: "agrees"; readonly reason: string }
  | { readonly status: "disagrees"; readonly reason: string };

const DAY_MS = 86_400_000;

/** Share of the runs that must reach the threshold: a skill that is repaired now and then is kept. */
const LEAST_GOOD = 0.8;

/**
 * A new skill after some of its first week. It is judged once, when the week is over and there are
 * runs enough; until then it stands in probation, also if its clock was put back.
 */
export function probationOf(
  { bornAt, now, rewards, threshold }: Trial,
  { days, minimumRuns }: ProbationSettings,
): Probation {
  const good = rewards.filter((reward) => reward >= threshold).length;
  const counted = `${good} of ${rewards.length} runs reach ${threshold}`;
  const leftMs = bornAt + days * DAY_MS - now;
  if (leftMs > 0 || rewards.length < minimumRuns) {
    const left = leftMs > 0 ? `${Math.ceil(leftMs / DAY_MS)} days left` : "its days are over";
    const wanting = Math.max(0, minimumRuns - rewards.length);
    return { status: "probation", reason: `${counted}, ${wanting} runs wanting, ${left}` };
  }
  const status = good >= rewards.length * LEAST_GOOD ? "agrees" : "disagrees";
  return { status, reason: `${counted} after ${days} days` };
}
