import type { Proposal } from "./candidate.ts";
import type { GateName, Verification } from "./gate.ts";

/** Gates that run a candidate on cases: what fails there does the wrong thing, however written. */
const REFUTING: ReadonlySet<GateName> = new Set([
  "failing-case",
  "regression",
  "differential",
  "held-out",
]);

/** Whether what a candidate does was found to be wrong. What fails by its form refutes nothing. */
export function isRefuted({ verdicts }: Verification): boolean {
  return verdicts.some(({ gate, status }) => status === "fail" && REFUTING.has(gate));
}

/** What stays of the possibility that none is right, whatever was refuted. */
const MOST_REFUTED = 0.9;

/**
 * A proposal as sure as it is once others of the same weighing are refuted: their share falls to the
 * rest in proportion (Bayes' rule). Proposals of one behaviour state the same confidence.
 */
export function surerWithout(refuted: readonly Proposal[], proposal: Proposal): Proposal {
  const { confidence, origin } = proposal;
  if (confidence === undefined) return proposal;
  const others = refuted.filter((other) => other.origin.proposer === origin.proposer);
  const shares = new Set(others.map((other) => other.confidence ?? 0));
  shares.delete(confidence);
  const share = [...shares].reduce((sum, one) => sum + one, 0);
  return share === 0
    ? proposal
    : { ...proposal, confidence: Math.min(1, confidence / (1 - Math.min(share, MOST_REFUTED))) };
}
