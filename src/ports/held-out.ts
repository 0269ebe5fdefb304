import type { Case } from "../domain/case.ts";
import type { Skill } from "../domain/skill.ts";

/** `isRecorded`: it asks for what a run returned, and not for what somebody wrote down. */
export type HeldOutCase = Case & { readonly isRecorded?: true };

/**
 * Cases that no proposer, prompt or log may see. Only the gate `held-out` is handed this port;
 * each look is counted in the ledger.
 */
export interface HeldOut {
  cases(skill: Skill): Promise<readonly HeldOutCase[]>;
}
