import type { Case } from "../domain/case.ts";
import type { Diagnosis, JudgedCase, Suspicion } from "../domain/incident.ts";
import { classify, describe } from "../domain/judge.ts";
import { localise } from "../domain/localise.ts";
import type { Skill } from "../domain/skill.ts";
import { isEndless, isInfrastructureFault } from "../domain/trace.ts";
import { examine, type ExaminePorts } from "../examine/examine.ts";
import { examineInBrief } from "../examine/in-brief.ts";
import type { Editor } from "../ports/editor.ts";
import type { Minimise } from "../ports/minimise.ts";

export type ReflectPorts = ExaminePorts & { readonly editor: Editor; readonly minimise: Minimise };

export type Reflection =
  | { readonly status: "diagnosed"; readonly diagnosis: Diagnosis }
  /** Replayed from its recording, the case passes: nothing to repair. */
  | { readonly status: "not-reproduced" }
  /** The world was out of reach: no verdict about the skill. */
  | { readonly status: "infrastructure"; readonly reason: string };

/**
 * Failing case → Diagnosis. Replays the case from its recording, makes it smaller, holds all
 * visible cases against the faulty version, and looks for the places that the failing ones pass
 * and the passing ones do not.
 */
export async function reflect(
  {
    incidentId,
    skill,
    failing,
    tried,
  }: {
    readonly incidentId: string;
    readonly skill: Skill;
    readonly failing: Case;
    readonly tried: readonly string[];
  },
  ports: ReflectPorts,
  signal: AbortSignal,
): Promise<Reflection> {
  // What ran out of time before, and now again, need not be tried a third time.
  const replay = { skill, cases: [failing], unconfirmed: true };
  const replayed = (await examine(replay, ports, signal)).judged[0];
  if (replayed === undefined || replayed.passed) return { status: "not-reproduced" };
  if (isInfrastructureFault(replayed.trace)) {
    return { status: "infrastructure", reason: describe(replayed.outcome) };
  }
  const smallest = await ports.minimise(skill, replayed, signal);
  const cases = [smallest, ...skill.cases.filter(({ name }) => name !== smallest.name)];
  const asked = { skill, cases, isEndless: isEndless(replayed.outcome) };
  const { judged } = await examineInBrief(asked, ports, signal);
  const [first] = judged;
  if (first === undefined || first.passed) return { status: "not-reproduced" };
  const failureClass = classify(first.trace, smallest.expectation);
  return {
    status: "diagnosed",
    diagnosis: {
      incidentId,
      failureClass,
      failing: first,
      judged,
      suspicions: await suspicionsOf(skill, judged, ports, signal),
      tried,
      summary: `${skill.name} ${describe(first.outcome)} (${first.reason})`,
    },
  };
}

/** Spectrum-based localisation over an instrumented copy of the program. */
async function suspicionsOf(
  skill: Skill,
  known: readonly JudgedCase[],
  ports: ReflectPorts,
  signal: AbortSignal,
): Promise<readonly Suspicion[]> {
  const source = { text: skill.source, language: skill.language, entry: skill.signature.name };
  const { program, sites } = await ports.editor.instrument(source, signal);
  const cases = known.map((one) => one.case);
  const isKnown = known.some(({ outcome }) => isEndless(outcome));
  const asked = { skill, cases, program, witness: true, isEndless: isKnown };
  const { judged, hits } = await examineInBrief(asked, ports, signal);
  return localise(
    sites,
    judged.map(({ passed, outcome }, at) => ({ passed, outcome, hits: hits[at] ?? [] })),
  );
}
