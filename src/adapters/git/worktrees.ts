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

/** Why a branch may not be moved from outside: somebody has it checked out or rebases it, or null. */
export async function holderOf({ commonDir }: Place, ref: string): Promise<string | null> {
  const linked = path.join(commonDir, "worktrees");
  const names = (await exists(linked)) ? await readdir(linked) : [];
  const gitDirs = [commonDir, ...names.map((name) => path.join(linked, name))];
  const holders = await Promise.all(gitDirs.map((gitDir) => holdIn(gitDir, ref)));
  return holders.find((holder) => holder !== null) ?? null;
}

/** The branch that a checkout is on, as a full ref, by its git folder; null for a detached HEAD. */
export async function headOf(gitDir: string): Promise<string | null> {
  const head = await textOrNothing(path.join(gitDir, "HEAD"));
  return /^ref: (refs\/heads\/.+)\n?$/.exec(head)?.[1] ?? null;
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
async function holdIn(gitDir: string, ref: string): Promise<string | null> {
  const [head, merging, applying] = await Promise.all([
    headOf(gitDir),
    textOrNothing(path.join(gitDir, "rebase-merge/head-name")),
    textOrNothing(path.join(gitDir, "rebase-apply/head-name")),
  ]);
  if (head === ref) return `checked out in ${await folderOf(gitDir)}`;
  return [merging, applying].some((name) => name.trim() === ref) ? "being rebased" : null;
}

/** The folder of a checkout: a linked one says where its `.git` file is. */
async function folderOf(gitDir: string): Promise<string> {
  const link = await textOrNothing(path.join(gitDir, "gitdir"));
  return path.dirname(link === "" ? gitDir : link.trim());
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
