import type { Followed } from "../../ports/repository.ts";
import { distance } from "./history.ts";
import { HONE_REF, branchRef } from "./names.ts";
import type { Place } from "./place.ts";
import { commitOf } from "./refs.ts";

/**
 * The branch that people work on, against `hone`: the one named in the settings, else the one
 * checked out. Null where there is none: a detached HEAD, a branch without a commit, `hone` itself.
 */
export async function followedBranch(
  place: Place,
  setting: string,
  hone: string,
): Promise<Followed | null> {
  const ref = setting === "" ? await checkedOut(place) : branchRef(setting);
  if (ref === null || ref === HONE_REF) return null;
  const head = await commitOf(place, ref);
  if (head === null) return null;
  const { left, right } = await distance(place, hone, head);
  return { branch: ref.slice("refs/heads/".length), head, relation: relationOf(left, right) };
}

async function checkedOut({ git }: Place): Promise<string | null> {
  const { code, output } = await git.run({
    args: ["symbolic-ref", "--quiet", "HEAD"],
    answers: [0, 1],
  });
  const ref = output.toString().trim();
  return code === 0 && ref.startsWith("refs/heads/") ? ref : null;
}

function relationOf(onlyHone: number, onlyPeople: number): Followed["relation"] {
  if (onlyHone === 0) return onlyPeople === 0 ? "same" : "ahead";
  return onlyPeople === 0 ? "behind" : "diverged";
}
