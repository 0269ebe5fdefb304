import type { Followed } from "../../ports/repository.ts";
import { distance } from "./history.ts";
import { HONE_REF, branchRef } from "./names.ts";
import type { Place } from "./place.ts";
import type { ObjectReader } from "./object-reader.ts";
import { branchesWith, lostOf } from "./published.ts";
import { takenBack, takenBackReason } from "./taken-back.ts";
import { headOf } from "./worktrees.ts";

/**
 * The branch that people work on, against `hone`: the one named in the settings, else the one
 * checked out. One that is checked out and never had what `hone` took in from another is not yet
 * where that work goes on: then it is the other. Null where there is none: a detached HEAD, a branch
 * without a commit, `hone` itself.
 */
export async function followedBranch(
  place: Place,
  reader: ObjectReader,
  sought: { readonly setting: string; readonly hone: string },
): Promise<Followed | null> {
  const { setting, hone } = sought;
  const ref = setting === "" ? await headOf(place.gitDir) : branchRef(setting);
  if (ref === null || ref === HONE_REF) return null;
  const found = await against({ ref, hone }, place, reader);
  if (found === null || found.missing === null || setting !== "") return found?.followed ?? null;
  const [other, ...more] = await branchesWith(place, found.missing);
  if (other === undefined || more.length > 0) return found.followed;
  return (await against({ ref: other, hone }, place, reader))?.followed ?? null;
}

type Found = {
  readonly followed: Followed;
  /** A person's commit that `hone` holds and this branch never did. */
  readonly missing: string | null;
};

/** How a branch stands to `hone`; null where it has no commit. */
async function against(
  { ref, hone }: { readonly ref: string; readonly hone: string },
  place: Place,
  reader: ObjectReader,
): Promise<Found | null> {
  const head = (await reader.read(ref))?.id;
  if (head === undefined) return null;
  const branch = ref.slice("refs/heads/".length);
  // Asked again and again by a daemon with nothing to do, so without a process of its own.
  if (head === hone) {
    return { followed: { branch, head, relation: "same", takenBack: null }, missing: null };
  }
  const { left, right } = await distance(place, hone, head);
  const lost = left === 0 ? null : await lostOf(place, reader, { branch, people: head, hone });
  const foreign =
    left === 0 || lost !== null ? null : await takenBack(place, reader, { people: head, hone });
  const without = lost ?? foreign;
  const followed = {
    branch,
    head,
    relation: relationOf(left, right),
    takenBack: without === null ? null : takenBackReason(branch, without),
  };
  return { followed, missing: foreign?.commit ?? null };
}

function relationOf(onlyHone: number, onlyPeople: number): Followed["relation"] {
  if (onlyHone === 0) return onlyPeople === 0 ? "same" : "ahead";
  return onlyPeople === 0 ? "behind" : "diverged";
}
