import type { Case } from "../domain/case.ts";
import type { JudgedCase } from "../domain/incident.ts";
import type { Skill } from "../domain/skill.ts";

/** A smaller case that fails in the same way, or the same case. Ends within a fixed number of runs. */
export type Minimise = (skill: Skill, failing: JudgedCase, signal: AbortSignal) => Promise<Case>;
