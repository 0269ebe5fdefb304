import type { Proposal } from "../domain/candidate.ts";
import type { Attempt } from "../domain/group.ts";
import type { Diagnosis } from "../domain/incident.ts";
import { isRefuted, surerWithout } from "../domain/refuted.ts";
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

/**
 * The same proposals, each as sure as it is after what became of those before it: `attempts` holds
 * one for each, in order, when the next is asked for.
 */
export async function* weighed(
  all: AsyncIterable<ProposalNews>,
  attempts: readonly Attempt[],
): AsyncGenerator<ProposalNews> {
  const stated: Proposal[] = [];
  for await (const news of all) {
    if (news.kind === "tried") {
      yield news;
      continue;
    }
    const refuted = stated.filter((_, at) => {
      const attempt = attempts[at];
      return attempt !== undefined && isRefuted(attempt.verification);
    });
    stated.push(news.proposal);
    yield { ...news, proposal: surerWithout(refuted, news.proposal) };
  }
}
