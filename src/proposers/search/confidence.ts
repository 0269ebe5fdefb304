import type { Evidence } from "./evidence.ts";
import { TRAIT_NAMES, type Traits } from "./traits.ts";

export const EVIDENCE_NAMES = [
  "none",
  "noneVisible",
  "noneFailing",
  "noneBits",
  "noneFirst",
  "nonePromise",
  "noneMany",
] as const;

/** How much each trait counts, and what speaks for "none of them is right". */
export type Weights = Traits & Readonly<Record<(typeof EVIDENCE_NAMES)[number], number>>;

/** Fitted by bench/choice on faults injected into correct code; see there. */
const WEIGHTS: Weights = {
  mass: 1.12,
  trust: 0.95,
  size: -0.09,
  agreement: 1.54,
  changedPassing: -0.33,
  changedFailing: -0.51,
  changedBetween: -0.63,
  newFaults: -0.94,
  keptFaults: 0.42,
  strange: -1.51,
  literal: -0.61,
  deletes: 0.32,
  variety: 0.21,
  shape: -0.8,
  link: -1.27,
  natural: 0.28,
  orphans: -1.16,
  adopts: 0.69,
  idle: -0.86,
  cures: 0.37,
  none: -0.07,
  noneVisible: -0.34,
  noneFailing: -0.31,
  noneBits: -0.16,
  noneFirst: 0.18,
  nonePromise: 0.05,
  noneMany: 0.27,
};

/**
 * How likely each cluster is the right repair, in (0,1): a multinomial logit over the clusters and
 * the possibility that none is right (McFadden, "Conditional logit analysis", 1974). The shares of
 * all clusters add up to less than 1.
 */
export function confidences(
  traits: readonly Traits[],
  evidence: Evidence,
  weights: Weights = WEIGHTS,
): readonly number[] {
  const scores = traits.map((one) =>
    TRAIT_NAMES.reduce((sum, name) => sum + weights[name] * one[name], 0),
  );
  const against = againstAll(evidence, traits.length);
  const none = EVIDENCE_NAMES.reduce((sum, name) => sum + weights[name] * against[name], 0);
  const highest = Math.max(none, ...scores);
  const masses = scores.map((score) => Math.exp(score - highest));
  const total = masses.reduce((sum, mass) => sum + mass, Math.exp(none - highest));
  return masses.map((mass) => mass / total);
}

/** What the evidence of a search says about all of its finds. */
export function againstAll(
  { visible, failing, bits, first, promise }: Evidence,
  clusters: number,
): Readonly<Record<(typeof EVIDENCE_NAMES)[number], number>> {
  return {
    none: 1,
    noneVisible: Math.log(Math.max(1, visible)),
    noneFailing: Math.log(Math.max(1, failing)),
    noneBits: Math.log(1 + bits),
    noneFirst: Math.log(Math.max(1, first) / 20),
    nonePromise: Math.log(Math.max(1e-9, promise) / 0.01),
    noneMany: Math.log(Math.max(1, clusters)),
  };
}
