import { HoneError } from "../domain/errors.ts";
import type { Skill } from "../domain/skill.ts";
import { examine, type ExaminePorts } from "../examine/examine.ts";
import type { Library, Loaded } from "../ports/library.ts";
import type { Repository } from "../ports/repository.ts";

export type AdoptPorts = ExaminePorts & {
  readonly repository: Repository;
  readonly library: Pick<Library, "loadAll">;
};

export type Adoption =
  | { readonly status: "nothing-new" }
  | { readonly status: "adopted"; readonly commit: string; readonly skills: readonly string[] }
  /** The commit stays where people put it; what hone serves stays as it was. */
  | { readonly status: "refused"; readonly commit: string; readonly problems: readonly string[] };

/**
 * People's commits on the followed branch → part of `hone`, if sound: every skill that they changed
 * loads, and no case that passes on the active version fails on theirs; what they deleted, no other
 * skill may call. A commit that is not sound is reported and left alone; it is theirs.
 */
export async function adopt(ports: AdoptPorts, signal: AbortSignal): Promise<Adoption> {
  const { repository } = ports;
  const followed = await repository.followed();
  if (followed === null || followed.relation === "same" || followed.relation === "behind") {
    return { status: "nothing-new" };
  }
  if (followed.takenBack !== null) {
    return { status: "refused", commit: followed.head, problems: [followed.takenBack] };
  }
  const active = await ports.library.loadAll(await repository.head());
  const theirs = await ports.library.loadAll(followed.head);
  const { changed, deleted } = await peoplesWork({ active, theirs }, followed.head, repository);
  const skills = [...changed.map(({ name }) => name), ...deleted];
  const problems = theirs.flatMap((one) => missingIn(one, deleted));
  for (const one of changed) problems.push(...(await problemsOf(one, active, ports, signal)));
  problems.push(...(await changedOnBothSides(skills, followed.head, repository)));
  if (problems.length > 0) return { status: "refused", commit: followed.head, problems };
  const taken = await repository.adopt(followed.head);
  return taken.status === "adopted"
    ? { status: "adopted", commit: taken.commit, skills }
    : { status: "refused", commit: followed.head, problems: [taken.reason] };
}

/** What differs by people's doing. Where only hone has gone on, theirs is merely an older version. */
async function peoplesWork(
  { active, theirs }: { readonly active: readonly Loaded[]; readonly theirs: readonly Loaded[] },
  head: string,
  repository: Repository,
): Promise<{ readonly changed: readonly Loaded[]; readonly deleted: readonly string[] }> {
  const changed: Loaded[] = [];
  for (const one of theirs.filter((each) => !active.some((old) => isSame(old, each)))) {
    if (await isByPeople(one.name, head, repository)) changed.push(one);
  }
  const deleted: string[] = [];
  for (const { name } of active.filter((old) => !theirs.some((one) => one.name === old.name))) {
    if (await isByPeople(name, head, repository)) deleted.push(name);
  }
  return { changed, deleted };
}

function isSame(a: Loaded, b: Loaded): boolean {
  return a.name === b.name && a.tree === b.tree;
}

async function isByPeople(name: string, theirs: string, repository: Repository): Promise<boolean> {
  const last = await lastChangeOf(name, theirs, repository);
  return last !== null && !(await repository.isAncestor(last, await repository.head()));
}

/** A merge of two changes of one skill is a third version, which nobody has looked at. */
async function changedOnBothSides(
  names: readonly string[],
  theirs: string,
  repository: Repository,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const name of names) {
    const ours = await lastChangeOf(name, await repository.head(), repository);
    if (ours === null || (await repository.isAncestor(ours, theirs))) continue;
    problems.push(`${name}: changed on both sides; merge the branch hone into yours`);
  }
  return problems;
}

/** The commit that last changed a skill's folder, its deletion included; null where there was none. */
async function lastChangeOf(
  name: string,
  commit: string,
  repository: Repository,
): Promise<string | null> {
  try {
    return await repository.lastChange(commit, `skills/${name}`);
  } catch (error) {
    if (error instanceof HoneError && error.code === "not-found") return null;
    throw error;
  }
}

function missingIn(one: Loaded, deleted: readonly string[]): string[] {
  if (one.status === "unsound") return [];
  const called = one.skill.manifest.capabilities.skills ?? [];
  return called
    .filter((name) => deleted.includes(name))
    .map((name) => `${one.name}: may call ${name}, which is deleted`);
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
