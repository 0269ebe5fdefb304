import { blobOf, commitOf } from "./objects.ts";
import { NOTES_REF } from "./names.ts";
import type { ObjectReader } from "./object-reader.ts";
import { parseCommit } from "./commit-text.ts";
import type { Place } from "./place.ts";
import type { Move } from "./refs.ts";
import { EMPTY_TREE, graft } from "./trees.ts";
import { writeObjects } from "./write-objects.ts";

/** Writes a note on a commit as objects, and returns the move of refs/notes/hone that publishes it. */
export async function prepareNote(
  place: Place,
  reader: ObjectReader,
  note: { readonly commit: string; readonly text: string },
): Promise<Move> {
  const blob = blobOf(note.text);
  const notes = await reader.read(NOTES_REF);
  const old = notes === null ? null : parseCommit(notes);
  const { id, trees } = await graft(reader, old?.tree ?? null, [
    { path: pathsOf(note.commit)[0] ?? [], becomes: { kind: "file", id: blob.id } },
  ]);
  const commit = commitOf({
    tree: id ?? EMPTY_TREE.id,
    parents: old === null ? [] : [old.commit],
    message: "Notes added by hone",
    at: place.now(),
  });
  await writeObjects(place.git, [blob, ...trees, commit]);
  return { ref: NOTES_REF, from: old?.commit ?? null, to: commit.id };
}

/** The note on a commit, byte for byte, or null. */
export async function readNote(reader: ObjectReader, commit: string): Promise<string | null> {
  for (const path of pathsOf(commit)) {
    const note = await reader.read(`${NOTES_REF}:${path.join("/")}`);
    if (note?.type === "blob") return note.bytes.toString("utf8");
  }
  return null;
}

/**
 * Where git looks for a note: by the commit's id, its first digits being folders. hone writes two
 * digits, which keeps the trees small; a person's `git notes` may rewrite them to the other forms.
 */
function pathsOf(commit: string): readonly (readonly string[])[] {
  const [first, second] = [commit.slice(0, 2), commit.slice(2, 4)];
  return [[first, commit.slice(2)], [commit], [first, second, commit.slice(4)]];
}
