import { HoneError } from "../../domain/errors.ts";
import { sentenceOf } from "./git-process.ts";
import { HONE_REF } from "./names.ts";
import type { Place } from "./place.ts";
import { holderOf } from "./worktrees.ts";

/** A ref and the commits that it leaves and reaches; `from` null: the ref is new. */
export type Move = { readonly ref: string; readonly from: string | null; readonly to: string };

const NO_COMMIT = "0".repeat(40);

/** The commit that a ref names, or null. */
export async function resolveRef({ git }: Place, ref: string): Promise<string | null> {
  const { code, output } = await git.run({
    args: ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`],
    answers: [0, 1],
  });
  return code === 0 ? output.toString().trim() : null;
}

/**
 * Moves refs in one transaction: all of them, or none where one is not where it was expected.
 * They move in the given order, so a process killed between two has moved the earlier ones only.
 * Rejects with `git-conflict` (retryable) or `git-failed`.
 */
export async function moveRefs(
  place: Place,
  moves: readonly Move[],
  reason: string,
): Promise<void> {
  const commands = moves.map(({ ref, from, to }) => `update ${ref} ${to} ${from ?? NO_COMMIT}`);
  const { code, complaint } = await place.git.run({
    args: ["update-ref", "-m", reason, "--stdin"],
    stdin: ["start", ...commands, "prepare", "commit", ""].join("\n"),
    answers: [0, 128],
  });
  if (code !== 0) throw await refusal(place, moves, complaint);
}

/** Rejects with `git-failed` while a person has the branch `hone` checked out or rebases it. */
export async function requireFreeBranch(place: Place): Promise<void> {
  const holder = await holderOf(place, HONE_REF);
  if (holder === null) return;
  throw new HoneError("git-failed", `the branch hone is ${holder}, so hone does not move it`, {
    hint: "Check out another branch there; hone goes on by itself.",
    retryable: true,
  });
}

/** Whether a refusal is about a ref that somebody else moved, or about the repository. */
async function refusal(
  place: Place,
  moves: readonly Move[],
  complaint: string,
): Promise<HoneError> {
  const values = await Promise.all(moves.map(({ ref }) => resolveRef(place, ref)));
  const moved = moves.find(({ from }, at) => values[at] !== from);
  const isConflict =
    moved !== undefined ||
    /\.lock': File exists|nonexistent object|but expected|already exists/.test(complaint);
  const what = moves.map(({ ref }) => ref).join(" and ");
  const why =
    moved === undefined ? sentenceOf(complaint) : `${moved.ref} was moved by somebody else`;
  return new HoneError(
    isConflict ? "git-conflict" : "git-failed",
    `${what} did not move: ${why}`,
    isConflict
      ? { hint: "Try again from the branch's new head.", retryable: true }
      : { hint: "Run `git fsck` in the workspace's repository." },
  );
}
