import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { sentenceOf } from "./git-process.ts";
import { distance } from "./history.ts";
import { HONE_REF } from "./names.ts";
import { commitOf } from "./objects.ts";
import type { ObjectReader } from "./object-reader.ts";
import type { Place } from "./place.ts";
import { moveRefs, requireFreeBranch } from "./refs.ts";
import { takenBack, takenBackReason } from "./taken-back.ts";
import { exists } from "./worktrees.ts";
import { writeObjects } from "./write-objects.ts";

export type Adoption =
  | { readonly status: "adopted"; readonly commit: string }
  | { readonly status: "conflict"; readonly reason: string };

type Merge =
  | { readonly status: "merged"; readonly tree: string }
  | { readonly status: "conflict"; readonly reason: string };

/**
 * Takes the commits of `theirs` into `hone`, which stands at `ours`. A merge would bring back what a
 * person took back, so there is none then.
 */
export async function adopt(
  place: Place,
  reader: ObjectReader,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
): Promise<Adoption> {
  const [{ left, right }] = await Promise.all([
    distance(place, ours, theirs),
    requireFreeBranch(place),
  ]);
  if (right === 0) return { status: "adopted", commit: ours };
  if (left === 0) return moveTo(place, ours, theirs);
  const lost = await takenBack(place, reader, { people: theirs, hone: ours });
  if (lost !== null) {
    return { status: "conflict", reason: takenBackReason(theirs.slice(0, 10), lost) };
  }
  const merge = await mergeTrees(place, ours, theirs);
  if (merge.status === "conflict") return merge;
  const commit = commitOf({
    tree: merge.tree,
    parents: [ours, theirs],
    message: `merge: take in people's commits up to ${theirs.slice(0, 12)}\n\nHone-Adopts: ${theirs}`,
    at: place.now(),
  });
  await writeObjects(place.git, [commit]);
  return moveTo(place, ours, commit.id);
}

async function moveTo(place: Place, from: string, to: string): Promise<Adoption> {
  await moveRefs(place, [{ ref: HONE_REF, from, to }], "hone: adopt");
  return { status: "adopted", commit: to };
}

/**
 * Merges two commits as objects. git does it in a repository of its own that borrows the objects,
 * because a merge driver named in the workspace's configuration would be run as a program.
 */
async function mergeTrees(place: Place, ours: string, theirs: string): Promise<Merge> {
  const aside = await mkdtemp(path.join(os.tmpdir(), "hone-merge-"));
  try {
    await makeBareRepository(aside);
    const { code, output, complaint } = await place.git.run({
      args: ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs],
      folder: aside,
      environment: { GIT_DIR: aside, ...(await borrowed(place)) },
      answers: [0, 1, 128],
    });
    const [tree = "", ...paths] = output.toString().split("\0").filter(Boolean);
    if (code === 0) return { status: "merged", tree };
    const reason = code === 1 ? `both sides changed ${paths.join(", ")}` : sentenceOf(complaint);
    return { status: "conflict", reason };
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function makeBareRepository(folder: string): Promise<void> {
  await mkdir(path.join(folder, "refs"));
  await mkdir(path.join(folder, "objects"));
  await writeFile(path.join(folder, "HEAD"), "ref: refs/heads/none\n");
  await writeFile(path.join(folder, "config"), "[core]\n\tbare = true\n");
}

async function borrowed({ commonDir }: Place): Promise<Record<string, string>> {
  const shallow = path.join(commonDir, "shallow");
  const isShallow = await exists(shallow);
  return {
    GIT_OBJECT_DIRECTORY: path.join(commonDir, "objects"),
    ...(isShallow ? { GIT_SHALLOW_FILE: shallow } : {}),
  };
}
