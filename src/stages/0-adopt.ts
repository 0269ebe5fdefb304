import type { Skill } from "../domain/skill.ts";
import { examine, type ExaminePorts } from "../examine/examine.ts";
import type { Loaded } from "../ports/library.ts";
import type { Repository } from "../ports/repository.ts";

export type AdoptPorts = ExaminePorts & {
  readonly repository: Repository;
  /** Every skill of a commit, validated. */
  readonly loadAll: (commit: string) => Promise<readonly Loaded[]>;
};

export type Adoption =
  | { readonly status: "nothing-new" }
  | { readonly status: "adopted"; readonly commit: string; readonly skills: readonly string[] }
  /** The commit stays where people put it; what hone serves stays as it was. */
  | { readonly status: "refused"; readonly commit: string; readonly problems: readonly string[] };

/**
 * People's commits on the followed branch → part of `hone`, if sound: every changed skill loads,
 * and no case that passes on the active version fails on theirs. A commit that is not sound is
 * reported and left alone; it is theirs.
 */
export async function adopt(ports: AdoptPorts, signal: AbortSignal): Promise<Adoption> {
  const { repository } = ports;
  const followed = await repository.followed();
  if (followed === null || followed.relation === "same" || followed.relation === "behind") {
    return { status: "nothing-new" };
  }
  const active = await ports.loadAll(await repository.head());
  const theirs = await ports.loadAll(followed.head);
  const changed = theirs.filter((one) => !active.some((old) => isSame(old, one)));
  const problems: string[] = [];
  for (const one of changed) {
    problems.push(...(await problemsOf(one, active, ports, signal)));
  }
  if (problems.length > 0) return { status: "refused", commit: followed.head, problems };
  const taken = await repository.adopt(followed.head);
  return taken.status === "adopted"
    ? { status: "adopted", commit: taken.commit, skills: changed.map(({ name }) => name) }
    : { status: "refused", commit: followed.head, problems: [taken.reason] };
}

function isSame(a: Loaded, b: Loaded): boolean {
  return a.name === b.name && a.tree === b.tree;
}

async function problemsOf(
  one: Loaded,
  active: readonly Loaded[],
  ports: AdoptPorts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (one.status === "unsound") return one.problems.map((problem) => `${one.name}: ${problem}`);
  const old = active.find(({ name }) => name === one.name);
  const before = old?.status === "sound" ? old.skill : null;
  const { judged } = await examine({ skill: one.skill, cases: one.skill.cases }, ports, signal);
  const failing = judged.filter(({ passed }) => !passed);
  const lost = before === null ? failing : await passingOn(before, failing, ports, signal);
  return lost.map((each) => `${one.name}: case "${each.case.name}" fails: ${each.reason}`);
}

/** Of the failing cases, those that the active version passes. */
async function passingOn(
  skill: Skill,
  failing: Awaited<ReturnType<typeof examine>>["judged"],
  ports: ExaminePorts,
  signal: AbortSignal,
): Promise<typeof failing> {
  const cases = failing.map((one) => one.case);
  if (cases.length === 0) return [];
  const { judged } = await examine({ skill, cases }, ports, signal);
  return failing.filter((_, at) => judged[at]?.passed === true);
}
