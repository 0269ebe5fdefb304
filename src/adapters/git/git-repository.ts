import { canonical } from "../../domain/json.ts";
import { HoneError } from "../../domain/errors.ts";
import type { Evidence } from "../../domain/release.ts";
import type {
  CommitInfo,
  Followed,
  Prepared,
  Publication,
  Repository,
  TreeFile,
} from "../../ports/repository.ts";
import { type Adoption, adopt } from "./adopt.ts";
import { BlobTexts } from "./blob-texts.ts";
import { followedBranch } from "./followed.ts";
import { keepCommitGraph } from "./commit-graph.ts";
import { diffOf, isAncestor, readCommit } from "./history.ts";
import { HoneHead } from "./hone-head.ts";
import { LastChanges } from "./last-changes.ts";
import { clearStaleLocks } from "./locks.ts";
import { HONE_REF, branchRef, folderSegments, objectId, objectName } from "./names.ts";
import { prepareNote, readNote } from "./notes.ts";
import { ObjectReader } from "./object-reader.ts";
import { type Place, locate, segmentsFromRoot } from "./place.ts";
import { prepareChanges, prepareFolder } from "./prepare.ts";
import { publish } from "./publish.ts";
import { moveRefs, requireFreeBranch } from "./refs.ts";
import { filesOf, folderAt } from "./trees.ts";
import { uncommittedIn } from "./work-tree.ts";

export type RepositorySettings = {
  /** The workspace's folder. */
  readonly dir: string;
  readonly publish: "auto" | "manual";
  /** The branch that people work on; "" is the one checked out. */
  readonly branch: string;
  /** The clock of hone's commits, in milliseconds since the epoch. */
  readonly now?: () => number;
  /** Whoever stays for long asks much: what makes the history quick to ask is worth its time. */
  readonly isLongLived?: boolean;
};

/**
 * Opens the history of a workspace. The caller disposes of it. Rejects with `git-failed` where the
 * repository cannot be used, `not-found` where there is none or it has no branch `hone`.
 */
export async function openRepository(settings: RepositorySettings): Promise<Repository> {
  if (settings.branch !== "") branchRef(settings.branch);
  const place = await locate(settings.dir, settings.now ?? Date.now);
  if (place === null) throw missing(`${settings.dir} is not in a git repository`);
  const repository = new GitRepository(place, settings);
  try {
    await repository.head();
    if (settings.isLongLived === true) await keepCommitGraph(place);
  } catch (error) {
    await repository[Symbol.asyncDispose]();
    throw error;
  }
  return repository;
}

/** The port's contract over one place, one reader and the settings; each verb has its own file. */
class GitRepository implements Repository {
  readonly prefix: string;
  readonly #place: Place;
  readonly #settings: RepositorySettings;
  readonly #reader: ObjectReader;
  readonly #texts: BlobTexts;
  readonly #lastChanges: LastChanges;
  readonly #head: HoneHead;
  /** Locks that a commit cleared out of its way and that nobody was told of yet. */
  readonly #cleared: string[] = [];

  constructor(place: Place, settings: RepositorySettings) {
    this.prefix = place.prefix;
    this.#place = place;
    this.#settings = settings;
    this.#reader = new ObjectReader(place.git);
    this.#texts = new BlobTexts(this.#reader);
    this.#lastChanges = new LastChanges(place, this.#reader);
    this.#head = new HoneHead(place, this.#reader);
  }

  async head(): Promise<string> {
    const commit = await this.#head.commit();
    if (commit !== null) return commit;
    throw missing(`the repository at ${this.#place.top} has no branch hone`);
  }

  async files(commit: string, folder: string): Promise<readonly TreeFile[]> {
    const { tree } = await readCommit(this.#reader, objectId(commit));
    const path = segmentsFromRoot(this.#place, folderSegments(folder));
    const id = await folderAt(this.#reader, tree, path);
    return id === null ? [] : filesOf(this.#reader, id, folder);
  }

  text(blob: string): Promise<string> {
    return this.#texts.text(blob);
  }

  textOrNull(blob: string): Promise<string | null> {
    return this.#texts.textOrNull(blob);
  }

  async lastChange(commit: string, folder: string): Promise<string> {
    const last = await this.#lastChanges.of(commit, folder);
    if (last !== null) return last;
    throw missing(`no commit up to ${commit.slice(0, 12)} has a folder ${folder}`);
  }

  lastChanges(commit: string, folder: string): Promise<ReadonlyMap<string, string>> {
    return this.#lastChanges.within(commit, folder);
  }

  async history(folder: string, limit: number): Promise<readonly CommitInfo[]> {
    const commits = await this.#lastChanges.all(await this.head(), folder, limit);
    return Promise.all(commits.map((commit) => this.info(commit)));
  }

  async info(commit: string): Promise<CommitInfo> {
    const {
      tree: _tree,
      committer: _committer,
      ...info
    } = await readCommit(this.#reader, objectName(commit));
    return info;
  }

  isAncestor(ancestor: string, descendant: string): Promise<boolean> {
    return isAncestor(this.#place, ancestor, descendant);
  }

  diff(from: string, to: string, folder: string): Promise<string> {
    return diffOf(this.#place, { from, to }, folder);
  }

  prepare(
    parent: string,
    changes: Readonly<Record<string, string | null>>,
    message: string,
  ): Promise<Prepared> {
    return prepareChanges(this.#place, this.#reader, { parent, changes, message });
  }

  prepareRestore(
    parent: string,
    folder: string,
    source: string,
    message: string,
  ): Promise<Prepared> {
    return prepareFolder(this.#place, this.#reader, { parent, folder, source, message });
  }

  async advance({ commit, parent }: Prepared, evidence: Evidence | null): Promise<void> {
    // The transaction decides; to look first only spares a late comer the work.
    if ((await this.head()) !== parent) throw overtaken(parent);
    const text = evidence === null ? null : canonical(evidence);
    this.#cleared.push(...(await clearStaleLocks(this.#place)));
    const [note] = await Promise.all([
      text === null ? null : prepareNote(this.#place, this.#reader, { commit, text }),
      requireFreeBranch(this.#place),
    ]);
    const branch = { ref: HONE_REF, from: objectId(parent), to: objectId(commit) };
    // The note first: a process killed between the two leaves a note too many, never a release
    // without its evidence.
    await moveRefs(this.#place, note === null ? [branch] : [note, branch], "hone: release");
  }

  evidence(commit: string): Promise<string | null> {
    return readNote(this.#reader, objectId(commit));
  }

  async publish(): Promise<Publication> {
    if (this.#settings.publish === "manual") return { status: "manual" };
    const hone = await this.head();
    const followed = await this.#followedFrom(hone);
    return publish(this.#place, this.#reader, { followed, hone });
  }

  async followed(): Promise<Followed | null> {
    return this.#followedFrom(await this.head());
  }

  async adopt(followedHead: string): Promise<Adoption> {
    const { commit } = await readCommit(this.#reader, objectId(followedHead));
    return adopt(this.#place, this.#reader, { ours: await this.head(), theirs: commit });
  }

  uncommitted(folder: string): Promise<readonly string[]> {
    return uncommittedIn(this.#place, folder);
  }

  async clearStaleLocks(): Promise<readonly string[]> {
    const cleared = await clearStaleLocks(this.#place);
    return [...this.#cleared.splice(0), ...cleared];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader[Symbol.asyncDispose]();
  }

  #followedFrom(hone: string): Promise<Followed | null> {
    return followedBranch(this.#place, this.#reader, { setting: this.#settings.branch, hone });
  }
}

function overtaken(parent: string): HoneError {
  return new HoneError("git-conflict", `hone is no longer at ${parent.slice(0, 12)}`, {
    hint: "Try again from the branch's new head.",
    retryable: true,
  });
}

function missing(what: string): HoneError {
  return new HoneError("not-found", what, { hint: "Run `hone init` in the workspace's folder." });
}
