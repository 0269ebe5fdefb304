import type { Followed } from "../../ports/repository.ts";
import { distance } from "./history.ts";
import { HONE_REF, branchRef } from "./names.ts";
import type { Place } from "./place.ts";
import type { ObjectReader } from "./object-reader.ts";
import { takenBack, takenBackReason } from "./taken-back.ts";
import { headOf } from "./worktrees.ts";

/**
 * The branch that people work on, against `hone`: the one named in the settings, else the one
 * checked out. Null where there is none: a detached HEAD, a branch without a commit, `hone` itself.
 */
export async function followedBranch(
  place: Place,
  reader: ObjectReader,
  sought: { readonly setting: string; readonly hone: string },
): Promise<Followed | null> {
  const { setting, hone } = sought;
  const ref = setting === "" ? await headOf(place.gitDir) : branchRef(setting);
  if (ref === null || ref === HONE_REF) return null;
  const head = (await reader.read(ref))?.id;
  if (head === undefined) return null;
  const branch = ref.slice("refs/heads/".length);
  // Asked again and again by a daemon with nothing to do, so without a process of its own.
  if (head === hone) return { branch, head, relation: "same", takenBack: null };
  const { left, right } = await distance(place, hone, head);
  const lost = left === 0 ? null : await takenBack(place, reader, { people: head, hone });
  return {
    branch,
    head,
    relation: relationOf(left, right),
    takenBack: lost === null ? null : takenBackReason(branch, lost),
  };
}

function relationOf(onlyHone: number, onlyPeople: number): Followed["relation"] {
  if (onlyHone === 0) return onlyPeople === 0 ? "same" : "ahead";
  return onlyPeople === 0 ? "behind" : "diverged";
}
