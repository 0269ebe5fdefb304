import { logWealthAgainst, tallyOf } from "./betting.ts";
import type { WatchInput } from "./release.ts";
import { evidenceOfDrop } from "./shadow.ts";

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
 * Did the new version do worse? A sequential test by betting (Waudby-Smith and Ramdas, "Estimating
 * means of bounded random variables by betting", JRSS-B 2024, arXiv 2010.09686). Were the new mean
 * no lower than the old one less the tolerance, the wealth would be a nonnegative supermartingale
 * or less than one, so that by Ville's inequality it ever reaches 1/alpha with a chance of at most
 * alpha. One may therefore look after every run, and stop when it suits. Assumes rewards in [0,1]
 * whose mean, given the past, does not change within a version; nothing else of their distribution.
 * Where runs are repeated on the other version, the wealth is split between this bet and one on the
 * pairs, from the start: the mean of two e-values is one, however they depend on each other.
 */
export function regressed(
  { before, after, pairs }: WatchInput,
  settings: WatchSettings,
): WatchDecision {
  const live = wealthOf(before, after, settings.tolerance);
  const paired = pairs === undefined ? live : evidenceOfDrop(pairs, settings.tolerance);
  const wealth = live / 2 + paired / 2;
  const reason = reasonOf(before, after, settings);
  if (after.length < settings.minimumRuns) return { status: "watching", wealth, reason };
  if (wealth >= 1 / settings.alpha) return { status: "regressed", wealth, reason };
  if (after.length >= settings.maximumRuns) return { status: "kept", wealth, reason };
  return { status: "watching", wealth, reason };
}

/** Intervals into which the unknown old mean is divided. */
const INTERVALS = 64;

/**
 * The old mean is unknown, so every value m that it could have must be refuted: by the old rewards,
 * which speak against a small m, and the new ones, which speak against a large one. The two bettors'
 * wealths multiply, and the least over all m counts; for the true m the product is a supermartingale
 * under the hypothesis. One falls with m and the other grows, so an interval's ends bound it.
 */
function wealthOf(before: readonly number[], after: readonly number[], tolerance: number): number {
  const gains = tallyOf(before);
  const losses = tallyOf(after.map((reward) => 1 - reward));
  const logs = Array.from({ length: INTERVALS }, (_, at) => {
    const lowest = at / INTERVALS;
    const highest = (at + 1) / INTERVALS;
    const floor = Math.max(0, lowest - tolerance);
    return logWealthAgainst(highest, gains) + logWealthAgainst(1 - floor, losses);
  });
  return Math.min(Number.MAX_VALUE, Math.exp(Math.min(...logs)));
}

function reasonOf(
  before: readonly number[],
  after: readonly number[],
  { minimumRuns, tolerance }: WatchSettings,
): string {
  const said =
    `mean reward ${meanOf(after)} over ${after.length} runs, ` +
    `before ${meanOf(before)} over ${before.length} (tolerance ${tolerance})`;
  return after.length < minimumRuns ? `${said}; ${minimumRuns} runs are the minimum` : said;
}

function meanOf(values: readonly number[]): string {
  if (values.length === 0) return "unknown";
  return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3);
}
