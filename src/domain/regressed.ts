import type { WatchInput } from "./release.ts";

export type WatchSettings = {
  /** No decision before this many live runs. */
  readonly minimumRuns: number;
  /** Kept after this many live runs without evidence of a regression. */
  readonly maximumRuns: number;
  /** Chance of a false rollback over the whole watch, however often one looks. */
  readonly alpha: number;
  /** A drop of the mean reward up to this size is accepted. */
  readonly tolerance: number;
};

export type WatchDecision =
  | { readonly status: "watching"; readonly wealth: number; readonly reason: string }
  | { readonly status: "kept"; readonly wealth: number; readonly reason: string }
  | { readonly status: "regressed"; readonly wealth: number; readonly reason: string };

/**
 * Did the new version do worse? An anytime-valid one-sided test by betting: under the hypothesis
 * "the mean reward of the new version is at least m" the wealth of the bettor is a nonnegative
 * supermartingale, so by Ville's inequality it reaches 1/alpha with probability at most alpha.
 * Bets follow the aGRAPA rule and depend on the past only. Source: Waudby-Smith and Ramdas,
 * "Estimating means of bounded random variables by betting", JRSS-B 2024 (arXiv 2010.09686).
 *
 * `m` is a lower confidence bound of the old mean (Hoeffding, at alpha) less the tolerance, so that
 * a short or noisy history of the old version cannot accuse the new one.
 */
export function regressed({ before, after }: WatchInput, settings: WatchSettings): WatchDecision {
  const floor = lowerBoundOf(before, settings.alpha) - settings.tolerance;
  const wealth = floor > 0 ? wealthAgainst(floor, after) : 1;
  const mean = meanOf(after);
  const said = `mean reward ${mean.toFixed(3)} over ${after.length} runs against a floor of ${floor.toFixed(3)} from ${before.length} runs`;
  if (after.length < settings.minimumRuns) {
    return {
      status: "watching",
      wealth,
      reason: `${said}; ${settings.minimumRuns} runs are the minimum`,
    };
  }
  if (wealth >= 1 / settings.alpha) return { status: "regressed", wealth, reason: said };
  if (after.length >= settings.maximumRuns) return { status: "kept", wealth, reason: said };
  return { status: "watching", wealth, reason: said };
}

/** Largest wealth ever reached betting that the mean of `rewards` lies below `floor` in (0,1]. */
function wealthAgainst(floor: number, rewards: readonly number[]): number {
  let wealth = 1;
  let largest = 1;
  let sum = 0.5;
  let squares = 0.25;
  rewards.forEach((reward, at) => {
    const mean = sum / (at + 1);
    const variance = squares / (at + 1);
    const gain = floor - mean;
    const bet = Math.min(0.75 / (1 - floor + 1e-9), Math.max(0, gain / (variance + gain * gain)));
    const step = Math.min(bet, 0.75 / Math.max(1 - floor, 0.25));
    wealth *= 1 + step * (floor - reward);
    largest = Math.max(largest, wealth);
    sum += reward;
    squares += (reward - sum / (at + 2)) ** 2;
  });
  return largest;
}

/** Hoeffding's lower bound of a mean of values in [0,1]; 0 without values. */
function lowerBoundOf(rewards: readonly number[], alpha: number): number {
  if (rewards.length === 0) return 0;
  return meanOf(rewards) - Math.sqrt(Math.log(1 / alpha) / (2 * rewards.length));
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
