import type { Birth } from "./birth.ts";

export type RetireSettings = {
  /** Days without a run after which a skill is proposed for retirement. */
  readonly afterDays: number;
  /** Scored runs of which none reached the threshold after which it is. */
  readonly minimumRuns: number;
};

/** What a skill was used for. */
export type Service = {
  /** Its last run or the last change of its folder, whichever is later. */
  readonly lastAt: number;
  readonly scored: number;
  /** Whether any run ever reached its threshold. */
  readonly everGood: boolean;
  /** How its probation ended, where it had one. */
  readonly birth: Pick<Birth, "verdict" | "note"> | null;
  readonly now: number;
};

const DAY_MS = 86_400_000;

/** Why a skill might be retired, for a person to decide; null: nothing speaks for it. */
export function retirementReason(
  { lastAt, scored, everGood, birth, now }: Service,
  { afterDays, minimumRuns }: RetireSettings,
): string | null {
  if (birth?.verdict === "disagrees") return `did not stand its probation: ${birth.note}`;
  if (!everGood && scored >= minimumRuns) return `none of ${scored} runs reached its threshold`;
  const idle = Math.floor((now - lastAt) / DAY_MS);
  return idle >= afterDays ? `not used for ${idle} days` : null;
}

/** A skill, and the skills that it may call. */
type Caller = { readonly name: string; readonly calls: readonly string[] };

/** Who needs a skill, each as a sentence: nothing that others call is retired under them. */
export function dependantsOf(
  skill: string,
  callers: readonly Caller[],
  schedules: readonly { readonly name: string; readonly skills: readonly string[] }[],
): readonly string[] {
  return [
    ...callers
      .filter(({ name, calls }) => name !== skill && calls.includes(skill))
      .map(({ name }) => `${name} may call it`),
    ...schedules
      .filter(({ skills }) => skills.includes(skill))
      .map(({ name }) => `the schedule ${name} names it`),
  ];
}
