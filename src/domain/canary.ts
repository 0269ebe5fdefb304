import type { FailureClass } from "./incident.ts";
import { reachesOnly } from "./reach.ts";
import type { Skill } from "./skill.ts";

export type CanarySettings = {
  /** Share of live runs that a release under watch gets at first, in (0,1]. */
  readonly share: number;
  /** Scored live runs of it after which it gets them all. */
  readonly runs: number;
  /** Hours after which it gets them all, where runs are few. */
  readonly hours: number;
};

/** What is known of a release under watch and of the version before it. */
export type CanaryFacts = {
  readonly skill: Pick<Skill, "manifest" | "cases" | "language">;
  /** What the release mends; null where that is not known. */
  readonly mends: FailureClass | null;
  /** Scored live runs of the version before since the incident opened, the latest ones. */
  readonly before: readonly number[];
  /** Scored live runs of the release. */
  readonly runs: number;
  readonly ageMs: number;
};

export type Canary = {
  /** Share of the live runs that get the release; the rest gets the version before it. */
  readonly share: number;
  /** Why it is that much. */
  readonly reason: string;
};

const HOUR_MS = 3_600_000;

/**
 * How much of the live work a release under watch gets. A share bounds the harm of a release that is
 * wrong; it also keeps on sending the rest to a version that is known to be wrong. So there is no
 * share where a regression is impossible to miss, and none where there is little left to protect:
 * where the version before was asked by nobody since the incident, or failed in half of its runs, or
 * fails whatever it is asked, because the world that it knew is gone.
 */
export function canaryOf(facts: CanaryFacts, { share, runs, hours }: CanarySettings): Canary {
  const { skill, mends, before, ageMs } = facts;
  const { threshold } = skill.manifest.reward;
  const failed = before.filter((reward) => reward < threshold).length;
  if (isExact(skill)) return full("it depends on its input alone, and every case is exact");
  if (mends !== null && WHOLLY_BROKEN.has(mends)) {
    return full(`the version before fails whatever it is asked: ${mends}`);
  }
  if (before.length === 0) return full("nobody has asked the version before since the incident");
  if (failed * 2 >= before.length) {
    return full(`the version before falls short in ${failed} of ${before.length} runs`);
  }
  if (facts.runs >= runs) return full(`${facts.runs} runs without evidence of a regression`);
  if (ageMs >= hours * HOUR_MS) return full(`${hours} hours without evidence of a regression`);
  const said = `${failed} of ${before.length} runs of the version before fall short`;
  return { share, reason: `${facts.runs} of ${runs} runs; ${said}` };
}

function full(reason: string): Canary {
  return { share: 1, reason };
}

/** Failures that a version shows whatever it is asked. */
const WHOLLY_BROKEN: ReadonlySet<FailureClass> = new Set([
  "endpoint-gone",
  "schema-changed",
  "missing-skill",
  "not-loaded",
]);

/** Whether a skill's cases tell all about it: it reaches nothing, and each case names what it wants. */
function isExact({ cases, ...skill }: CanaryFacts["skill"]): boolean {
  const isEachExact = cases.every(({ expectation }) => expectation.kind !== "reward");
  return cases.length > 0 && isEachExact && reachesOnly(skill, ["log"]);
}
