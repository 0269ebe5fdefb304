import { HoneError } from "../../domain/errors.ts";
import type { Prepared } from "../../ports/repository.ts";
import { readCommit } from "./history.ts";
import { fileSegments, folderSegments, objectId } from "./names.ts";
import { type NewObject, blobOf, commitOf } from "./objects.ts";
import type { ObjectReader } from "./object-reader.ts";
import { type Place, segmentsFromRoot } from "./place.ts";
import { EMPTY_TREE, type TreeEdit, folderAt, graft } from "./trees.ts";
import { writeObjects } from "./write-objects.ts";

type Commit = { readonly parent: string; readonly message: string };

/** Writes a commit that sets or (null) removes files. No ref moves, no file of the checkout. */
export async function prepareChanges(
  place: Place,
  reader: ObjectReader,
  commit: Commit & { readonly changes: Readonly<Record<string, string | null>> },
): Promise<Prepared> {
  const blobs: NewObject[] = [];
  const edits = Object.entries(commit.changes).map(([path, text]): TreeEdit => {
    const segments = segmentsFromRoot(place, fileSegments(path));
    if (text === null) return { path: segments, becomes: null };
    const blob = blobOf(text);
    blobs.push(blob);
    return { path: segments, becomes: { kind: "file", id: blob.id } };
  });
  return commitEdits(place, reader, { ...commit, edits, blobs });
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
  return commitEdits(place, reader, { ...commit, edits: [{ path, becomes }], blobs: [] });
}

async function commitEdits(
  place: Place,
  reader: ObjectReader,
  release: Commit & { readonly edits: readonly TreeEdit[]; readonly blobs: readonly NewObject[] },
): Promise<Prepared> {
  const before = await readCommit(reader, objectId(release.parent));
  const { id, trees } = await graft(reader, before.tree, release.edits);
  const tree = id ?? EMPTY_TREE.id;
  if (tree === before.tree) throw unchanged(before.commit);
  const { message } = release;
  const commit = commitOf({ tree, parents: [before.commit], message, at: place.now() });
  await writeObjects(place.git, [...release.blobs, EMPTY_TREE, ...trees, commit]);
  return { commit: commit.id, parent: before.commit };
}

function unchanged(parent: string): HoneError {
  return new HoneError("git-failed", `a commit on ${parent.slice(0, 12)} would change no file`, {
    hint: "There is nothing to release: the history already has this content.",
  });
}
