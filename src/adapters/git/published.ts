import { createHash } from "node:crypto";
import { readCommit, isAncestor } from "./history.ts";
import type { ParsedCommit } from "./commit-text.ts";
import { objectId } from "./names.ts";
import type { ObjectReader } from "./object-reader.ts";
import type { Place } from "./place.ts";
import { moveRefs } from "./refs.ts";

/**
 * What a branch was last seen to contain of `hone`, in a ref of hone's own. A branch that is without
 * it now had it taken away by a person, and what a person took away is not brought again.
 */
function refOf(branch: string): string {
  const name = createHash("sha256").update(branch).digest("hex").slice(0, 40);
  return `refs/hone/published/${name}`;
}

/** Writes down that a branch contains `hone`. Rejects with `git-conflict` or `git-failed`. */
export async function rememberPublished(
  place: Place,
  reader: ObjectReader,
  { branch, hone }: { readonly branch: string; readonly hone: string },
): Promise<void> {
  const ref = refOf(branch);
  const from = (await reader.read(ref))?.id ?? null;
  if (from === hone) return;
  await moveRefs(place, [{ ref, from, to: hone }], "hone: published");
}

/** The newest commit that a branch had of `hone` and has no more; null: none. */
export async function lostOf(
  place: Place,
  reader: ObjectReader,
  { branch, people, hone }: { branch: string; people: string; hone: string },
): Promise<ParsedCommit | null> {
  const published = (await reader.read(refOf(branch)))?.id ?? people;
  if (published === people || !(await isAncestor(place, published, hone))) return null;
  const { output } = await place.git.run({
    args: ["rev-list", "--max-count=1", objectId(published), `^${objectId(people)}`],
  });
  const lost = output.toString().trim();
  return lost === "" ? null : await readCommit(reader, lost);
}

/** Local branches, but `hone`, that contain a commit. */
export async function branchesWith({ git }: Place, commit: string): Promise<readonly string[]> {
  const { output } = await git.run({
    args: ["for-each-ref", "--format=%(refname)", `--contains=${objectId(commit)}`, "refs/heads/"],
  });
  return output
    .toString()
    .split("\n")
    .filter((ref) => ref !== "" && ref !== "refs/heads/hone");
}
