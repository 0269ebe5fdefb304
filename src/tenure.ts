import type { Birth } from "./domain/birth.ts";
import { probationOf } from "./domain/probation.ts";
import type { Release } from "./domain/release.ts";
import type { Skill } from "./domain/skill.ts";
import { examine } from "./examine/examine.ts";
import type { House } from "./ports/house.ts";
import { retire } from "./stages/10-retire.ts";

/** The skills of a name that stand in probation: at most one, as the ledger has it. */
export function inProbation(name: string, { store }: Pick<House, "store">): Birth | null {
  const [last] = store.births({ skill: name });
  return last?.commit != null && last.verdict === null ? last : null;
}

/**
 * One new skill, after one more live run → still in probation, kept, or proposed for retirement.
 * Its runs are those of the version that is active now; before it is kept, its cases are asked once
 * more.
 */
export async function mindProbation(
  name: string,
  house: House,
  signal: AbortSignal,
): Promise<void> {
  const birth = inProbation(name, house);
  if (birth === null) return;
  const skill = await house.library.active(name);
  const { status, reason } = standingOf(birth, skill, house);
  if (status === "probation") return;
  const ports = { ...house, unrecorded: "closed" as const };
  const { judged } = await examine({ skill, cases: skill.cases }, ports, signal);
  const failing = judged.filter(({ passed }) => !passed).length;
  const verdict = status === "agrees" && failing === 0 ? "agrees" : "disagrees";
  const said = failing === 0 ? reason : `${failing} of its cases fail; ${reason}`;
  house.store.endProbation(birth.incidentId, verdict, said);
  house.tell("probation.ended", name, { verdict, reason: said });
}

/** How a new skill stands now, as far as its runs tell. */
export function standingOf(
  { bornAt }: Birth,
  { name, version, manifest }: Skill,
  { store, now, settings }: Pick<House, "store" | "now" | "settings">,
): ReturnType<typeof probationOf> {
  const rewards = store.rewards(name, version, MOST_RUNS);
  const { threshold } = manifest.reward;
  return probationOf({ bornAt: bornAt ?? 0, now: now(), rewards, threshold }, settings.probation);
}

/** Runs looked at for a verdict. */
const MOST_RUNS = 1_000;

/** Lets a skill go, by one commit without its folder; a rollback of it brings the skill back. */
export async function letGo(
  facts: { readonly skill: string; readonly reason: string; readonly by: string },
  house: House,
): Promise<Release> {
  const made = await house.alone(async () => await retire(facts, house));
  house.store.setRelease(made.commit, "kept", made.reason);
  house.tell("skill.retired", facts.skill, { commit: made.commit, by: facts.by });
  return { ...made, state: "kept" };
}
