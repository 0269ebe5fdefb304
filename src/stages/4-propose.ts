import type { Proposal } from "../domain/candidate.ts";
import { HoneError, messageOf } from "../domain/errors.ts";
import type { Attempt, ProposerFailure } from "../domain/group.ts";
import type { Diagnosis } from "../domain/incident.ts";
import { isRefuted, surerWithout } from "../domain/refuted.ts";
import type { Skill } from "../domain/skill.ts";
import type { Proposer, ProposalNews } from "../ports/proposer.ts";

/** A proposer ends by itself within its budget; this much later it is left alone, in milliseconds. */
const GRACE_MS = 10_000;

/** What proposers tell, and how one of them broke. */
export type StageNews =
  | ProposalNews
  | { readonly kind: "failed"; readonly failure: ProposerFailure };

/**
 * Diagnosis → proposals, from one proposer after the other, cheapest first, until the time is up or
 * as many were verified as may be. What one leaves of that belongs to the next; one that has a budget
 * of its own neither takes from it nor goes without. One that does not end is left alone; one that
 * throws has proposed what it has, and the others go on.
 */
export async function* propose(
  {
    skill,
    diagnosis,
    seed,
    budgetMs,
    isFull = () => false,
  }: {
    readonly skill: Skill;
    readonly diagnosis: Diagnosis;
    readonly seed: number;
    readonly budgetMs: number;
    /** Whether as many proposals were verified as may be, those of proposers with their own budget aside. */
    readonly isFull?: () => boolean;
  },
  { proposers, now }: { readonly proposers: readonly Proposer[]; readonly now: () => number },
  signal: AbortSignal,
): AsyncGenerator<StageNews> {
  const endsAt = now() + budgetMs;
  // A clock that is put back gives nobody more time than there was.
  const leftMs = (): number => Math.min(budgetMs, endsAt - now());
  for (const proposer of proposers) {
    const ends = now() + (proposer.ownBudgetMs ?? leftMs());
    const ownMs = (): number => Math.min(proposer.ownBudgetMs ?? budgetMs, ends - now());
    const isOver = (): boolean => proposer.ownBudgetMs === undefined && isFull();
    if (ownMs() <= 0 || isOver()) continue;
    const stop = new AbortController();
    const request = { skill, diagnosis, seed, budgetMs: ownMs() };
    const mayTakeMs = (): number => Math.max(0, ownMs()) + GRACE_MS;
    try {
      const news = proposer.propose(request, AbortSignal.any([signal, stop.signal]));
      for await (const one of whileInTime(news, mayTakeMs, stop)) {
        yield one;
        if (isOver()) break;
      }
    } catch (error) {
      signal.throwIfAborted();
      yield { kind: "failed", failure: failureOf(proposer, error) };
    }
  }
}

/** Proposers run what nobody has run before, models and endpoints among it: a bug there ends no other. */
function failureOf({ name }: Proposer, error: unknown): ProposerFailure {
  const reason = messageOf(error);
  if (error instanceof HoneError) return { proposer: name, reason, bug: null };
  const stack = error instanceof Error ? error.stack : undefined;
  return { proposer: name, reason, bug: stack ?? reason };
}

/** What is yielded until one news takes longer than it may; then `stop` is aborted. */
async function* whileInTime(
  news: AsyncIterable<ProposalNews>,
  mayTakeMs: () => number,
  stop: AbortController,
): AsyncGenerator<ProposalNews> {
  const iterator = news[Symbol.asyncIterator]();
  for (;;) {
    const next = await inTime(iterator.next(), mayTakeMs());
    if (next === "late") return stop.abort();
    if (next.done === true) return;
    let isWanted = false;
    try {
      yield next.value;
      isWanted = true;
    } finally {
      if (!isWanted) await iterator.return?.();
    }
  }
}

/** A promise that nobody waits for any more may reject as it likes. */
async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | "late"> {
  promise.catch(() => undefined);
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The same proposals, each as sure as it is after what became of those before it: `attempts` holds
 * one for each, in order, when the next is asked for. One that is less sure than another which waits
 * for that very reason is left out.
 */
export async function* weighed(
  all: AsyncIterable<StageNews>,
  attempts: readonly Attempt[],
): AsyncGenerator<StageNews> {
  const stated: Proposal[] = [];
  for await (const news of all) {
    if (news.kind !== "proposal") {
      yield news;
      continue;
    }
    const refuted = stated.filter((_, at) => {
      const attempt = attempts[at];
      return attempt !== undefined && isRefuted(attempt.verification);
    });
    const proposal = surerWithout(refuted, news.proposal);
    if (attempts.some((attempt) => wouldWaitToo(proposal, attempt))) continue;
    stated.push(news.proposal);
    yield { ...news, proposal };
  }
}

function wouldWaitToo(
  { confidence = 1, origin }: Proposal,
  { candidate, verification }: Attempt,
): boolean {
  const isUnsure = verification.verdicts.some((verdict) => verdict.isUnsure === true);
  const isOfTheSame = candidate.origin.proposer === origin.proposer;
  return isUnsure && isOfTheSame && confidence <= (candidate.confidence ?? 1);
}
