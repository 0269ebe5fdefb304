import { HoneError } from "../../domain/errors.ts";
import type { Git } from "./git-process.ts";
import type { Tree } from "./trees.ts";

/** Writes a blob, byte for byte, past every filter and line-end setting; returns its id. */
export async function writeBlob(git: Git, text: string): Promise<string> {
  if (!text.isWellFormed()) {
    throw new HoneError("git-failed", "a text with half a surrogate pair cannot be written", {
      hint: "Replace the broken character in the proposed file.",
    });
  }
  const { output } = await git.run({
    args: ["hash-object", "-w", "--no-filters", "--stdin"],
    stdin: text,
  });
  return output.toString().trim();
}

/** Writes trees, leaves first. */
export async function writeTrees(git: Git, trees: readonly Tree[]): Promise<void> {
  if (trees.length === 0) return;
  // --missing: entries that were there before may be absent from a partial clone.
  const { output } = await git.run({
    args: ["mktree", "-z", "--batch", "--missing"],
    stdin: Buffer.from(trees.map(listingOf).join("\0"), "latin1"),
  });
  const written = output.toString().trim().split("\n");
  const expected = trees.map(({ id }) => id);
  if (written.join() !== expected.join()) {
    throw new Error(`git wrote the trees ${written.join()}, not ${expected.join()}`);
  }
}

/** Writes a commit by hone; its time is the clock's. Returns its id. */
export async function writeCommit(
  git: Git,
  commit: { readonly tree: string; readonly parents: readonly string[]; readonly message: string },
): Promise<string> {
  const { output } = await git.run({
    args: ["commit-tree", ...commit.parents.flatMap((parent) => ["-p", parent]), commit.tree],
    stdin: messageOf(commit.message),
  });
  return output.toString().trim();
}

function listingOf({ entries }: Tree): string {
  const lines = entries.map(({ mode, id, name }) => {
    const type = mode === "40000" ? "tree" : mode === "160000" ? "commit" : "blob";
    return `${mode.padStart(6, "0")} ${type} ${id}\t${name}\0`;
  });
  return lines.join("");
}

function messageOf(message: string): string {
  const text = message.trim();
  if (text !== "" && !text.includes("\0") && text.isWellFormed()) return `${text}\n`;
  throw new HoneError("git-failed", "a commit's message is text, and not empty", {
    hint: "Remove NUL and broken characters from the reason of the candidate.",
  });
}
