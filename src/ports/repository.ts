import type { Evidence } from "../domain/release.ts";

/** A file of a tree, by its path from the workspace's folder. Links and submodules are none. */
export type TreeFile = { readonly path: string; readonly blob: string };

export type CommitInfo = {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly author: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly subject: string;
  /** All that follows the subject, trailers included. */
  readonly body: string;
  /** `Hone-*` trailers by name. A commit without any is a person's. */
  readonly trailers: Readonly<Record<string, string>>;
};

/** A commit that exists as objects but that no ref names yet. */
export type Prepared = { readonly commit: string; readonly parent: string };

export type Publication =
  | { readonly status: "published" | "manual" | "up-to-date" }
  | { readonly status: "blocked"; readonly reason: string };

/** Where the branch that people work on stands in relation to `hone`. */
export type Followed = {
  readonly branch: string;
  readonly head: string;
  /** `same`; `ahead`: only people have new commits; `behind`: only hone; `diverged`: both. */
  readonly relation: "same" | "ahead" | "behind" | "diverged";
  /**
   * A sentence where `hone` holds a person's commit that the branch is without (reset, amended): to
   * join the two would bring it back, so they stay apart until the person joins them. Null: none.
   */
  readonly takenBack: string | null;
};

/**
 * The history: the branch `hone` of the workspace's git repository.
 *
 * Contract, kept by `test/contracts/repository.contract.ts`:
 * - hone's commits are built from objects with a private index; the user's checkout, index, HEAD,
 *   stashes and other branches are read at most;
 * - a ref moves only from the value it was expected to have (`git-conflict` otherwise, retryable);
 * - every call ends in time; hooks, signing, prompts and foreign configuration have no say;
 * - rejects with `git-failed`, `git-conflict`, or `not-found`.
 */
export interface Repository extends AsyncDisposable {
  /** Folder of the workspace inside the repository, "" at its root; paths below are relative to it. */
  readonly prefix: string;
  head(): Promise<string>;
  /** Files under a folder of a commit's tree, any depth. */
  files(commit: string, folder: string): Promise<readonly TreeFile[]>;
  /** The text of a blob; BOM and line ends as they are. */
  text(blob: string): Promise<string>;
  /** The same; null for a blob that is not UTF-8 text, a picture say. */
  textOrNull(blob: string): Promise<string | null>;
  /** The commit that last changed a folder, looking back from `commit`. */
  lastChange(commit: string, folder: string): Promise<string>;
  /** The same for everything in a folder, by name: one walk, where `lastChange` takes one for each. */
  lastChanges(commit: string, folder: string): Promise<ReadonlyMap<string, string>>;
  /** Commits of `hone` that changed a folder, newest first. */
  history(folder: string, limit: number): Promise<readonly CommitInfo[]>;
  info(commit: string): Promise<CommitInfo>;
  isAncestor(ancestor: string, descendant: string): Promise<boolean>;
  /** A unified diff of a folder between two commits. */
  diff(from: string, to: string, folder: string): Promise<string>;
  /** Writes objects for a commit on `parent` that sets or (null) removes files. Moves no ref. */
  prepare(
    parent: string,
    changes: Readonly<Record<string, string | null>>,
    message: string,
  ): Promise<Prepared>;
  /** Writes objects for a commit on `parent` that gives a folder the content it has in `source`. */
  prepareRestore(
    parent: string,
    folder: string,
    source: string,
    message: string,
  ): Promise<Prepared>;
  /** Moves `hone` from parent to commit and adds the evidence to refs/notes/hone, both or neither. */
  advance(prepared: Prepared, evidence: Evidence | null): Promise<void>;
  /** The evidence text in refs/notes/hone, or null. */
  evidence(commit: string): Promise<string | null>;
  /**
   * Brings `hone` to the followed branch, by fast-forward only, where the workspace says so; never
   * a commit that people took back.
   */
  publish(): Promise<Publication>;
  followed(): Promise<Followed | null>;
  /**
   * Takes people's commits into `hone`: by fast-forward where only they are new, else by a merge;
   * not where a merge would bring back what they took back.
   */
  adopt(
    followedHead: string,
  ): Promise<
    | { readonly status: "adopted"; readonly commit: string }
    | { readonly status: "conflict"; readonly reason: string }
  >;
  /** Paths under a folder that the work tree has changed and not committed. */
  uncommitted(folder: string): Promise<readonly string[]>;
  /**
   * Removes locks that no living git holds; returns their names, and those of the locks that
   * `advance` removed since the last call.
   */
  clearStaleLocks(): Promise<readonly string[]>;
}
