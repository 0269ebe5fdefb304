import { changesOf, readCommit } from "./history.ts";
import { folderSegments, objectId } from "./names.ts";
import type { ObjectReader } from "./object-reader.ts";
import { type Place, pathFromRoot, segmentsFromRoot } from "./place.ts";
import { namesAt } from "./trees.ts";
import { VersionWalk } from "./version-walk.ts";

type Link = { readonly commit: string; readonly parents: readonly string[] };

/** Of each entry of a folder, the commit that changed it last. */
type Versions = ReadonlyMap<string, string>;

/** Commits looked back through for all entries together; what is older is asked for one by one. */
const MOST_COMMITS = 20_000;

/** Commits compared by one process: few at first, for what changed lately is found there. */
const CHUNKS = [64, 512, 4_096] as const;

/** Histories of folders that are kept. */
const MOST_HISTORIES = 2_000;

/** Answers kept for each folder: hone's head, the head that people have, and those before. */
const MOST_KNOWN = 4;

/**
 * The commit that changed each entry of a folder last, as `git rev-list -1 <commit> -- <entry>` says
 * for one of them. Where a library has a thousand skills, that is a thousand processes; here it is
 * one walk for all of them, and after a new commit only as far as the one that was known.
 */
export class LastChanges {
  readonly #place: Place;
  readonly #reader: ObjectReader;
  readonly #histories = new Map<string, readonly string[]>();
  /** By folder, the answers for some commits, the latest asked for last. */
  readonly #known = new Map<string, Map<string, Promise<Versions>>>();

  constructor(place: Place, reader: ObjectReader) {
    this.#place = place;
    this.#reader = reader;
  }

  /** Rejects with `not-found` where there is no such commit. */
  async within(commit: string, folder: string): Promise<Versions> {
    const known = this.#known.get(folder) ?? new Map<string, Promise<Versions>>();
    this.#known.set(folder, known);
    const found = known.get(commit) ?? this.#walked(commit, folder, [...known].at(-1));
    known.delete(commit);
    known.set(commit, found);
    found.catch(() => known.delete(commit));
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value ?? "");
    return await found;
  }

  /** Of one folder; null where no commit up to this one has it. */
  async of(commit: string, folder: string): Promise<string | null> {
    const [, around = "", name = ""] = /^(.+)\/([^/]+)$/.exec(folder) ?? [];
    const isNear = this.#known.has(around);
    const version = isNear ? (await this.within(commit, around)).get(name) : undefined;
    return version ?? (await this.#alone(commit, folder));
  }

  /**
   * All changes of a folder, newest first. What comes before its last change is the same for every
   * head that has it, so that it is looked for once for each of its versions.
   */
  async all(commit: string, folder: string, limit: number): Promise<readonly string[]> {
    const start = folder.includes("/") ? await this.of(commit, folder) : commit;
    if (start === null) return [];
    const key = `${folder}\n${start}\n${limit}`;
    const known = this.#histories.get(key);
    if (known !== undefined) return known;
    const found = await changesOf(this.#place, folder, { start, limit });
    this.#histories.set(key, found);
    if (this.#histories.size > MOST_HISTORIES) {
      this.#histories.delete(this.#histories.keys().next().value ?? "");
    }
    return found;
  }

  async #alone(commit: string, folder: string): Promise<string | null> {
    const [last] = await changesOf(this.#place, folder, { start: commit, limit: 1 });
    return last ?? null;
  }

  async #walked(
    start: string,
    folder: string,
    before: readonly [string, Promise<Versions>] | undefined,
  ): Promise<Versions> {
    const path = segmentsFromRoot(this.#place, folderSegments(folder));
    const { tree } = await readCommit(this.#reader, objectId(start));
    const names = await namesAt(this.#reader, tree, path);
    // A walk that failed is no place to end at.
    const known = new Map<string, Versions>();
    const ended = await before?.[1].catch(() => null);
    if (before !== undefined && ended) known.set(before[0], ended);
    const walk = new VersionWalk(start, names, known);
    for (const links of chunksOf(await this.#links(start, [...known.keys()]))) {
      if (walk.isOver) break;
      const changes = await this.#changes(links, folder);
      let at = 0;
      for (const { commit, parents } of links) {
        walk.step({ commit, parents, changes: changes.slice(at, (at += parents.length)) });
      }
    }
    for (const { name, commit } of walk.left()) {
      walk.versions.set(name, (await this.#alone(commit, `${folder}/${name}`)) ?? commit);
    }
    return walk.versions;
  }

  /** The history of a commit without that of others, children before their parents. */
  async #links(start: string, without: readonly string[]): Promise<readonly Link[]> {
    const { output } = await this.#place.git.run({
      args: [
        "rev-list",
        "--topo-order",
        "--parents",
        `--max-count=${String(MOST_COMMITS)}`,
        objectId(start),
        ...without.map((commit) => `^${objectId(commit)}`),
        "--",
      ],
    });
    const lines = output.toString("latin1").split("\n").filter(Boolean);
    return lines.map((line) => {
      const [commit = "", ...parents] = line.split(" ");
      return { commit, parents };
    });
  }

  /** For each commit and parent, in order, the entries of a folder that differ between them. */
  async #changes(links: readonly Link[], folder: string): Promise<readonly ReadonlySet<string>[]> {
    const pairs = links.flatMap(({ commit, parents }) =>
      parents.map((parent) => `${commit} ${parent}\n`),
    );
    if (pairs.length === 0) return [];
    const path = pathFromRoot(this.#place, folderSegments(folder));
    const options = ["--always", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff"];
    const { output } = await this.#place.git.run({
      args: ["diff-tree", "--stdin", ...options, "--", path],
      stdin: pairs.join(""),
    });
    return changesIn(output.toString(), path);
  }
}

/** What `git diff-tree -z` tells: for each pair the commit's id, then paths within the folder. */
function changesIn(output: string, path: string): readonly ReadonlySet<string>[] {
  const changes: Set<string>[] = [];
  for (const token of output.split("\0")) {
    const isPath = token.startsWith(`${path}/`);
    if (isPath) changes.at(-1)?.add(token.slice(path.length + 1).split("/")[0] ?? "");
    else if (token !== "") changes.push(new Set());
  }
  return changes;
}

function* chunksOf(links: readonly Link[]): Generator<readonly Link[]> {
  let at = 0;
  for (let n = 0; at < links.length; n += 1) {
    const size = CHUNKS[Math.min(n, CHUNKS.length - 1)] ?? 1;
    yield links.slice(at, at + size);
    at += size;
  }
}
