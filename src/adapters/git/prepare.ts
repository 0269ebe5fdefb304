import { HoneError } from "../../domain/errors.ts";
import type { Prepared } from "../../ports/repository.ts";
import { readCommit } from "./history.ts";
import { fileSegments, folderSegments, objectId } from "./names.ts";
import { writeBlob, writeCommit, writeTrees } from "./objects.ts";
import type { ObjectReader } from "./object-reader.ts";
import { type Place, segmentsFromRoot } from "./place.ts";
import { EMPTY_TREE, type TreeEdit, folderAt, graft } from "./trees.ts";

type Commit = { readonly parent: string; readonly message: string };

/** Writes a commit that sets or (null) removes files. No ref moves, no file of the checkout. */
export async function prepareChanges(
  place: Place,
  reader: ObjectReader,
  commit: Commit & { readonly changes: Readonly<Record<string, string | null>> },
): Promise<Prepared> {
  const edits = await Promise.all(
    Object.entries(commit.changes).map(async ([path, text]): Promise<TreeEdit> => {
      const segments = segmentsFromRoot(place, fileSegments(path));
      if (text === null) return { path: segments, becomes: null };
      return { path: segments, becomes: { kind: "file", id: await writeBlob(place.git, text) } };
    }),
  );
  return commitEdits(place, reader, { ...commit, edits });
}

/** Writes a commit that gives a folder the content it has in `source`. */
export async function prepareFolder(
  place: Place,
  reader: ObjectReader,
  commit: Commit & { readonly folder: string; readonly source: string },
): Promise<Prepared> {
  const path = segmentsFromRoot(place, folderSegments(commit.folder));
  if (path.length === 0) throw new Error("a restore names a folder");
  const { tree } = await readCommit(reader, objectId(commit.source));
  const id = await folderAt(reader, tree, path);
  const becomes = id === null ? null : ({ kind: "folder", id } as const);
  return commitEdits(place, reader, { ...commit, edits: [{ path, becomes }] });
}

async function commitEdits(
  place: Place,
  reader: ObjectReader,
  { parent, message, edits }: Commit & { readonly edits: readonly TreeEdit[] },
): Promise<Prepared> {
  const before = await readCommit(reader, objectId(parent));
  const { id, trees } = await graft(reader, before.tree, edits);
  const tree = id ?? EMPTY_TREE;
  if (tree === before.tree) throw unchanged(parent);
  await writeTrees(place.git, trees);
  const commit = await writeCommit(place.git, { tree, parents: [before.commit], message });
  return { commit, parent: before.commit };
}

function unchanged(parent: string): HoneError {
  return new HoneError("git-failed", `a commit on ${parent.slice(0, 12)} would change no file`, {
    hint: "There is nothing to release: the history already has this content.",
  });
}
