import { SHARES } from "./betting.ts";
import { reachesOnly } from "./reach.ts";
import type { Skill } from "./skill.ts";

export type ShadowSettings = {
  /** Share of live runs that are repeated, in [0,1]; 0: none. */
  readonly share: number;
  /** Part of the time that repetitions may take at most, in (0,1]. */
  readonly load: number;
};

/** One question put to a release under watch and to the version before it, one of them live. */
export type Shadow = {
  /** The live run. */
  readonly runId: string;
  readonly skill: string;
  /** The release under watch. */
  readonly release: string;
  /** Scores in [0,1]. */
  readonly before: number;
  readonly after: number;
  /** Whether both came out the same. */
  readonly isSame: boolean;
  readonly at: number;
};

/**
 * Whether a run may be repeated without anybody noticing: it reaches nothing but clock, chance and
 * log, which a repetition is given as the run had them.
 */
export function isRepeatable(skill: Pick<Skill, "manifest" | "language">): boolean {
  return reachesOnly(skill, ["clock", "random", "log"]);
}

/**
 * The evidence of pairs that the new version does worse than the old one by more than `tolerance` in
 * the mean, as an e-value. A bettor begins with 1; a pair whose drop (old score less new one) is d
 * multiplies a share c of his largest bet by 1 + c·(d − tolerance)/(1 + tolerance), which is never
 * negative and at most 1 in the mean where the drop is at most the tolerance. So it ever reaches
 * 1/alpha with a chance of at most alpha (Ville). Waudby-Smith and Ramdas, JRSS-B 2024.
 */
export function evidenceOfDrop(
  pairs: readonly Pick<Shadow, "before" | "after">[],
  tolerance: number,
): number {
  const logs = SHARES.map((share) =>
    pairs.reduce(
      (log, { before, after }) =>
        log + Math.log1p((share * (before - after - tolerance)) / (1 + tolerance)),
      0,
    ),
  );
  const wealth = logs.reduce((sum, log) => sum + Math.exp(log), 0) / SHARES.length;
  return Math.min(Number.MAX_VALUE, wealth);
}
