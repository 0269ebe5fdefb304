import type { Pull } from "./bandit.ts";
import { advantagesOf } from "./candidate.ts";
import { statusOf } from "./gate.ts";
import type { Attempt } from "./group.ts";

/**
 * What a group teaches of the ways in which a model was asked: those that did better than the group's
 * mean won, the others lost (the sign of the group-relative advantage). All were asked about the same
 * failure, so that a hard one counts against none of them. A group without spread teaches nothing, and
 * neither does a candidate of which the world kept the verdict.
 */
export function pullsOf(attempts: readonly Attempt[]): readonly Pull[] {
  const judged = attempts.filter(({ verification }) => statusOf(verification) !== "infra-error");
  const samples = judged.flatMap((attempt) => {
    const credit = creditOf(attempt);
    return (attempt.candidate.origin.model?.samples ?? []).map((one) => ({ ...one, credit }));
  });
  const advantages = advantagesOf(samples.map(({ credit }) => credit));
  if (advantages === null) return [];
  return samples.map(({ arm, tokens }, at) => {
    return { arm, reward: (advantages[at] ?? 0) > 0 ? 1 : 0, cost: tokens };
  });
}

/** What satisfies all that is visible and is refused all the same has earned nothing: it games. */
function creditOf({ verification }: Attempt): number {
  const isGame = verification.reward === 1 && statusOf(verification) === "fail";
  return isGame ? 0 : verification.reward;
}
