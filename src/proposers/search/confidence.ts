import { TRAIT_NAMES, type Traits } from "./traits.ts";

/** How much each trait counts, and what speaks for "none of them is right". */
export type Weights = Traits & { readonly none: number; readonly nonePerCase: number };

/** Fitted by bench/choice on faults injected into correct code; see there. */
const WEIGHTS: Weights = {
  mass: 1.47,
  trust: 0.78,
  size: 0,
  agreement: 1.05,
  changedPassing: -0.5,
  changedFailing: -0.66,
  changedBetween: -0.3,
  newFaults: -1,
  keptFaults: -0.04,
  strange: -1.42,
  literal: -0.8,
  deletes: -0.02,
  variety: 0.32,
  none: -0.9,
  nonePerCase: -0.62,
};

/**
 * How likely each cluster is the right repair, in (0,1): a multinomial logit over the clusters and
 * the possibility that none is right (McFadden, "Conditional logit analysis", 1973). The shares of
 * all clusters add up to less than 1.
 */
export function confidences(
  traits: readonly Traits[],
  visible: number,
  weights: Weights = WEIGHTS,
): readonly number[] {
  const scores = traits.map((one) =>
    TRAIT_NAMES.reduce((sum, name) => sum + weights[name] * one[name], 0),
  );
  const none = weights.none + weights.nonePerCase * Math.log(Math.max(1, visible));
  const highest = Math.max(none, ...scores);
  const masses = scores.map((score) => Math.exp(score - highest));
  const total = masses.reduce((sum, mass) => sum + mass, Math.exp(none - highest));
  return masses.map((mass) => mass / total);
}
