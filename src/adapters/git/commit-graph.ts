import { stat } from "node:fs/promises";
import path from "node:path";
import { HoneError } from "../../domain/errors.ts";
import { HONE_REF } from "./names.ts";
import type { Place } from "./place.ts";

/** A history of fewer commits is walked as fast without a graph. */
const LEAST_COMMITS = 1_000;

/** A graph is written again when it is older, in milliseconds. */
const FRESH_MS = 24 * 60 * 60 * 1_000;

/**
 * Has git keep, for a long history, which commit changed which path (git-commit-graph(1), changed
 * path Bloom filters): the history of one skill is then found in a few milliseconds instead of a
 * walk through every tree. It is git's own file, which its maintenance writes as well. Where it
 * cannot be written everything goes on, more slowly.
 */
export async function keepCommitGraph({ git, commonDir, now }: Place): Promise<void> {
  const info = path.join(commonDir, "objects", "info");
  const written = await Promise.all([
    writtenAt(path.join(info, "commit-graph")),
    writtenAt(path.join(info, "commit-graphs", "commit-graph-chain")),
  ]);
  if (now() - Math.max(...written) < FRESH_MS) return;
  try {
    const count = await git.line(["rev-list", "--count", `--max-count=${LEAST_COMMITS}`, HONE_REF]);
    if (Number(count) < LEAST_COMMITS) return;
    await git.run({ args: ["commit-graph", "write", "--reachable", "--changed-paths"] });
  } catch (error) {
    if (!(error instanceof HoneError)) throw error;
  }
}

/** Milliseconds since the epoch; 0 for a file that is not there. */
async function writtenAt(file: string): Promise<number> {
  return await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
