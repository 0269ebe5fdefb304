import type { Proposal } from "./domain/candidate.ts";
import { asksAPerson, isReleasable } from "./domain/gate.ts";
import type { Attempt, Group, ProposerFailure } from "./domain/group.ts";
import type { Diagnosis } from "./domain/incident.ts";
import type { Skill } from "./domain/skill.ts";
import type { Workshop } from "./ports/house.ts";
import { propose, weighed } from "./stages/4-propose.ts";
import { patch } from "./stages/5-patch.ts";
import { verify } from "./stages/6-verify.ts";

export type Repair = {
  readonly skill: Skill;
  readonly diagnosis: Diagnosis;
  readonly seed: number;
  readonly budgetMs: number;
  /** Proposals verified at most, those of proposers with a budget of their own aside. */
  readonly candidates: number;
  /** Told of every attempt once it is verified: a repair may take minutes. */
  readonly onAttempt?: (made: Attempt) => void;
};

/**
 * Diagnosis → group: propose, patch, verify, until one passes, or wants nothing but a person's word,
 * or the budget is used.
 */
export async function repair(work: Repair, shop: Workshop, signal: AbortSignal): Promise<Group> {
  const startedAt = shop.now();
  const attempts: Attempt[] = [];
  const failures: ProposerFailure[] = [];
  let tried = 0;
  const isFull = (): boolean => attempts.length >= work.candidates;
  for await (const news of weighed(propose({ ...work, isFull }, shop, signal), attempts)) {
    if (news.kind === "tried") tried += news.programs;
    else if (news.kind === "failed") failures.push(news.failure);
    else {
      const made = await attempt(news.proposal, work, shop, signal);
      attempts.push(made);
      work.onAttempt?.(made);
    }
    if (news.kind === "proposal" && news.isFollowed === true) continue;
    if (attempts.some(isFound)) break;
  }
  tried += attempts.length;
  return { attempts, failures, tried, durationMs: shop.now() - startedAt };
}

function isFound({ verification }: Attempt): boolean {
  return isReleasable(verification) || asksAPerson(verification);
}

/** Proposal → attempt: what cannot be applied fails at the first gate. */
export async function attempt(
  proposal: Proposal,
  { skill, diagnosis }: Pick<Repair, "skill" | "diagnosis">,
  shop: Workshop,
  signal: AbortSignal,
): Promise<Attempt> {
  const id = shop.newId("candidate");
  const made = await patch({ proposal, skill, diagnosis, id }, shop, signal);
  const { candidate } = made;
  if (made.status === "refused") {
    const refusal = { gate: "parse", status: "fail", reason: made.reason, durationMs: 0 } as const;
    const verification = { candidateId: id, verdicts: [refusal], reward: 0 };
    return { candidate, patched: null, verification };
  }
  const { patched } = made;
  const verification = await verify({ candidate, skill, diagnosis, patched }, shop, signal);
  return { candidate, patched, verification };
}
