import type { Diagnosis } from "../domain/incident.ts";
import type { Skill } from "../domain/skill.ts";
import type { Proposer, ProposalNews } from "../ports/proposer.ts";

/**
 * Diagnosis → proposals, from one proposer after the other, cheapest first, until the time is up.
 * What one leaves of the budget belongs to the next.
 */
export async function* propose(
  {
    skill,
    diagnosis,
    seed,
    budgetMs,
  }: {
    readonly skill: Skill;
    readonly diagnosis: Diagnosis;
    readonly seed: number;
    readonly budgetMs: number;
  },
  { proposers, now }: { readonly proposers: readonly Proposer[]; readonly now: () => number },
  signal: AbortSignal,
): AsyncGenerator<ProposalNews> {
  const endsAt = now() + budgetMs;
  for (const proposer of proposers) {
    const leftMs = endsAt - now();
    if (leftMs <= 0) return;
    yield* proposer.propose({ skill, diagnosis, seed, budgetMs: leftMs }, signal);
  }
}
