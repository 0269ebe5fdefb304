import type { Proposal, ProposerName } from "../domain/candidate.ts";
import type { Diagnosis } from "../domain/incident.ts";
import type { Skill } from "../domain/skill.ts";

/** What a proposer is shown: the faulty version, its visible cases, what reflection found. */
export type ProposalRequest = {
  readonly skill: Skill;
  readonly diagnosis: Diagnosis;
  readonly seed: number;
  /** Milliseconds this proposer may use. */
  readonly budgetMs: number;
};

/** A proposal, or news of work done: programs tried since the last news. */
export type ProposalNews =
  | {
      readonly kind: "proposal";
      readonly proposal: Proposal;
      /** Others of the same group follow, and all of them are verified. */
      readonly isFollowed?: boolean;
    }
  | { readonly kind: "tried"; readonly programs: number };

/**
 * Proposes patches for a diagnosis. It has no access to held-out cases, rewards or gates; it sees
 * what it is shown and may run programs in the sandbox. Ends by itself within its budget.
 */
export interface Proposer {
  readonly name: ProposerName;
  /** Milliseconds of its own, beside those that the others share. */
  readonly ownBudgetMs?: number;
  propose(request: ProposalRequest, signal: AbortSignal): AsyncIterable<ProposalNews>;
}
