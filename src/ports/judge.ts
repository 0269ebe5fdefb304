import type { Case } from "../domain/case.ts";
import type { Judgement } from "../domain/judge.ts";
import type { Skill } from "../domain/skill.ts";
import type { Trace } from "../domain/trace.ts";

/**
 * Holds a trace against a case, on the host: values and messages by comparison, `reward` cases by
 * the skill's own reward. Rejects for nothing that the skill can cause.
 */
export type JudgeCase = (
  skill: Skill,
  of: Case,
  trace: Trace,
  signal: AbortSignal,
) => Promise<Judgement>;
