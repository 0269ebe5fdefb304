import type { Candidate } from "../domain/candidate.ts";
import type { GateName, Verdict } from "../domain/gate.ts";
import type { Diagnosis } from "../domain/incident.ts";
import type { Skill } from "../domain/skill.ts";

/** What a gate holds a candidate against. */
export type GateContext = {
  readonly skill: Skill;
  readonly diagnosis: Diagnosis;
  /** The skill as the candidate would leave it. */
  readonly patched: Skill;
  /** What the gates before this one said; absent where it is asked alone. */
  readonly earlier?: readonly Verdict[];
};

/**
 * One check of a candidate. It answers; it never throws for what the candidate does. A gate that
 * could not run answers `infra-error`.
 */
export interface Gate {
  readonly name: GateName;
  check(candidate: Candidate, context: GateContext, signal: AbortSignal): Promise<Verdict>;
}
