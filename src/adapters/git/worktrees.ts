import { readFile, readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Place } from "./place.ts";

/** A checkout of the repository. */
export type Worktree = { readonly folder: string; readonly branch: string | null };

/** What a person may be in the middle of, by the file in the checkout's git folder that says so. */
const OPERATIONS: readonly (readonly [string, string])[] = [
  ["MERGE_HEAD", "a merge"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["sequencer", "a sequence of picks"],
  ["BISECT_LOG", "a bisection"],
];

/** All checkouts of the repository. Branches are full refs; null is a detached HEAD. */
export async function worktrees({ git }: Place): Promise<readonly Worktree[]> {
  const { output } = await git.run({ args: ["worktree", "list", "--porcelain", "-z"] });
  return output
    .toString()
    .split("\0\0")
    .map((block) => block.split("\0"))
    .flatMap((lines) => {
      const folder = valueOf(lines, "worktree");
      return folder === null ? [] : [{ folder, branch: valueOf(lines, "branch") }];
    });
}

/** Why a branch may not be moved from outside: who has it checked out or rebases it; null if none. */
export async function holderOf(place: Place, ref: string): Promise<string | null> {
  const [trees, isRebased] = await Promise.all([worktrees(place), isBeingRebased(place, ref)]);
  const holder = trees.find(({ branch }) => branch === ref);
  if (holder !== undefined) return `checked out in ${holder.folder}`;
  return isRebased ? "being rebased" : null;
}

/** What a person is in the middle of in the checkout that has this git folder, or null. */
export async function operationIn(gitDir: string): Promise<string | null> {
  const found = await Promise.all(
    OPERATIONS.map(async ([name, operation]) =>
      (await exists(path.join(gitDir, name))) ? operation : null,
    ),
  );
  return found.find((operation) => operation !== null) ?? null;
}

/** During a rebase HEAD is detached, and only these files name the branch that will be set. */
async function isBeingRebased({ commonDir }: Place, ref: string): Promise<boolean> {
  const linked = path.join(commonDir, "worktrees");
  const names = (await exists(linked)) ? await readdir(linked) : [];
  const gitDirs = [commonDir, ...names.map((name) => path.join(linked, name))];
  const files = gitDirs.flatMap((gitDir) => [
    path.join(gitDir, "rebase-merge/head-name"),
    path.join(gitDir, "rebase-apply/head-name"),
  ]);
  const heads = await Promise.all(files.map(textOrNothing));
  return heads.some((head) => head.trim() === ref);
}

function valueOf(lines: readonly string[], name: string): string | null {
  const line = lines.find((candidate) => candidate.startsWith(`${name} `));
  return line === undefined ? null : line.slice(name.length + 1);
}

/** Whether a file or folder is there. */
export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function textOrNothing(file: string): Promise<string> {
  return readFile(file, "utf8").then(
    (text) => text,
    () => "",
  );
}
