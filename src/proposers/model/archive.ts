import type { Ancestor, Recollection } from "../../domain/lesson.ts";

/** Groups after which more samples of one prompt are no longer all that is done. */
const STALLED_AFTER = 2;

/** Ancestors that a group goes on from, at most. */
const MOST_PARENTS = 4;

/**
 * What each sample of a group goes on from, by its position; null: from the source as it is. Where
 * best-of-K has stalled, every second sample is given one of the best earlier patches, by score and by
 * how seldom others went on from it (Darwin Gödel Machine: Zhang et al., arXiv 2505.22954).
 */
export function parentsFor(
  { groups, ancestors }: Pick<Recollection, "groups" | "ancestors">,
  samples: number,
): readonly (Ancestor | null)[] {
  const best = ancestors.toSorted((a, b) => worthOf(b) - worthOf(a)).slice(0, MOST_PARENTS);
  const isStalled = groups >= STALLED_AFTER && best.length > 0;
  return Array.from({ length: samples }, (_, at) =>
    isStalled && at % 2 === 1 ? (best[((at - 1) / 2) % best.length] ?? null) : null,
  );
}

function worthOf({ reward, children }: Ancestor): number {
  return reward / (1 + children);
}
