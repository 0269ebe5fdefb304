import type { Case } from "../../domain/case.ts";
import type { JudgedCase } from "../../domain/incident.ts";
import { sameJson } from "../../domain/json.ts";
import type { Program, Skill } from "../../domain/skill.ts";
import type { Outcome } from "../../domain/trace.ts";
import { examine, type ExaminePorts } from "../../examine/examine.ts";

/** What is looked at: a candidate beside the version before, on cases whose outcomes are steady. */
export type Scene = {
  readonly skill: Skill;
  readonly patched: Skill;
  readonly asked: readonly Asked[];
  readonly ports: ExaminePorts;
  readonly signal: AbortSignal;
};

/** A case, what the candidate makes of it in production's set-up, and whether it passed before. */
export type Asked = {
  readonly of: Case;
  readonly outcome: Outcome;
  readonly wallMs: number;
  readonly passedBefore: boolean;
};

/** What a detector found. `hint` matches what the line that is to blame may look like. */
export type Detected = {
  readonly detector: string;
  readonly what: string;
  readonly hint: RegExp;
  /** It may be what the repair is for: a person decides. */
  readonly isUnsure: boolean;
};

/** Looks for one kind of conduct; null where it is not there or the version before had it too. */
export type Detector = (scene: Scene) => Promise<Detected | null>;

/**
 * Puts the cases to the candidate as production would. Cases that need the live world, or that end
 * in neither a value nor an error, can show nothing and are left out.
 */
export async function sceneOf(
  skills: Pick<Scene, "skill" | "patched">,
  cases: readonly { readonly case: Case; readonly passed: boolean }[],
  ports: ExaminePorts,
  signal: AbortSignal,
): Promise<Scene> {
  const { judged, recorded } = await examine(
    { skill: skills.patched, cases: cases.map((one) => one.case) },
    ports,
    signal,
  );
  const asked = judged.flatMap((one, at): Asked[] => {
    const { outcome, trace } = one;
    const isSteady = outcome.status === "returned" || outcome.status === "threw";
    if (!isSteady || (recorded[at] ?? []).length > 0 || isCutOff(one)) return [];
    const passedBefore = cases[at]?.passed === true;
    return [{ of: one.case, outcome, wallMs: trace.usage.wallMs, passedBefore }];
  });
  return { ...skills, asked, ports, signal };
}

/** A request was refused because nothing is recorded: what came of it says nothing. */
function isCutOff({ trace }: JudgedCase): boolean {
  return trace.steps.some(({ answers }) =>
    answers.some((answer) => answer.status === "rejected" && answer.cause !== "failed"),
  );
}

/** The outcomes of cases on a version, or on another program in its place. */
export async function outcomesOf(
  skill: Skill,
  cases: readonly Case[],
  { ports, signal }: Pick<Scene, "ports" | "signal">,
  how: { readonly program?: Program; readonly fresh?: boolean } = {},
): Promise<readonly Outcome[]> {
  const { judged } = await examine({ skill, cases, unconfirmed: true, ...how }, ports, signal);
  return judged.map(({ outcome }) => outcome);
}

/** Whether two calls came to the same: the same value, or an error of the same kind. */
export function sameOutcome(a: Outcome, b: Outcome | undefined): boolean {
  if (b === undefined || a.status !== b.status) return false;
  if (a.status === "returned" && b.status === "returned") return sameJson(a.value, b.value);
  return a.status !== "threw" || b.status !== "threw" || a.error.name === b.error.name;
}
