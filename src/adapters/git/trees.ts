import { HoneError } from "../../domain/errors.ts";
import type { TreeFile } from "../../ports/repository.ts";
import { type NewObject, objectOf } from "./objects.ts";
import type { ObjectReader } from "./object-reader.ts";

/** A name in a tree. The bytes of the name stand as one character each: any name survives. */
export type TreeEntry = { readonly mode: string; readonly id: string; readonly name: string };

/** What a path becomes: a file, a whole folder, or nothing. */
export type TreeEdit = {
  readonly path: readonly string[];
  readonly becomes:
    | { readonly kind: "file"; readonly id: string }
    | { readonly kind: "folder"; readonly id: string }
    | null;
};

/** A tree with edits applied: its id, null if nothing is left, and the new trees. */
export type Grafted = { readonly id: string | null; readonly trees: readonly NewObject[] };

/** The tree of a commit without files. */
export const EMPTY_TREE: NewObject = objectOf("tree", Buffer.alloc(0));

const FOLDER = "40000";
const FILE = "100644";
const FILE_MODES = [FILE, "100755"];

/** The id of the folder at a path of a tree, or null where there is none. */
export async function folderAt(
  reader: ObjectReader,
  tree: string,
  path: readonly string[],
): Promise<string | null> {
  let folder = tree;
  for (const segment of path) {
    const name = nameOf(segment);
    const next = (await readTree(reader, folder)).find((entry) => entry.name === name);
    if (next?.mode !== FOLDER) return null;
    folder = next.id;
  }
  return folder;
}

/** The names of what a folder of a tree holds; none where there is no such folder. */
export async function namesAt(
  reader: ObjectReader,
  tree: string,
  path: readonly string[],
): Promise<readonly string[]> {
  const folder = await folderAt(reader, tree, path);
  if (folder === null) return [];
  const entries = await readTree(reader, folder);
  return entries.map(({ name }) => Buffer.from(name, "latin1").toString());
}

/** The regular files of a tree, any depth; symbolic links and submodules are not files. */
export async function filesOf(
  reader: ObjectReader,
  tree: string,
  within: string,
): Promise<readonly TreeFile[]> {
  const entries = await readTree(reader, tree);
  const files = await Promise.all(
    entries.map(async ({ mode, id, name }) => {
      const text = Buffer.from(name, "latin1").toString();
      const path = within === "" ? text : `${within}/${text}`;
      if (mode === FOLDER) return filesOf(reader, id, path);
      return FILE_MODES.includes(mode) ? [{ path, blob: id }] : [];
    }),
  );
  return files.flat();
}

/** Applies edits to a tree (null: an empty one). Rejects with `git-failed` where a path is taken. */
export async function graft(
  reader: ObjectReader,
  tree: string | null,
  edits: readonly TreeEdit[],
): Promise<Grafted> {
  const before = tree === null ? [] : await readTree(reader, tree);
  const entries = new Map(before.map((entry) => [entry.name, entry]));
  const trees: NewObject[] = [];
  for (const [name, inside] of Map.groupBy(edits, ({ path: [first = ""] }) => nameOf(first))) {
    const old = entries.get(name);
    const [whole] = inside.filter(({ path }) => path.length === 1);
    if (whole !== undefined && inside.length > 1) throw taken(name, "both a file and a folder");
    const next =
      whole === undefined
        ? await graftFolder(reader, { name, old, inside }, trees)
        : replacement(name, old, whole);
    if (next === null) entries.delete(name);
    else entries.set(name, next);
  }
  if (entries.size === 0) return { id: null, trees };
  const grafted = treeOf([...entries.values()]);
  return { id: grafted.id, trees: [...trees, grafted] };
}

async function graftFolder(
  reader: ObjectReader,
  at: {
    readonly name: string;
    readonly old: TreeEntry | undefined;
    readonly inside: readonly TreeEdit[];
  },
  trees: NewObject[],
): Promise<TreeEntry | null> {
  const { name, old, inside } = at;
  if (old !== undefined && old.mode !== FOLDER) throw taken(name, "a folder");
  const deeper = inside.map(({ path, becomes }) => ({ path: path.slice(1), becomes }));
  const grafted = await graft(reader, old?.id ?? null, deeper);
  trees.push(...grafted.trees);
  return grafted.id === null ? null : { mode: FOLDER, id: grafted.id, name };
}

function replacement(name: string, old: TreeEntry | undefined, edit: TreeEdit): TreeEntry | null {
  const { becomes } = edit;
  if (becomes === null) return null;
  const isFolder = becomes.kind === "folder";
  const fits =
    old === undefined || (isFolder ? old.mode === FOLDER : FILE_MODES.includes(old.mode));
  if (!fits) throw taken(name, isFolder ? "a folder" : "a file");
  return { mode: isFolder ? FOLDER : (old?.mode ?? FILE), id: becomes.id, name };
}

function taken(name: string, kind: string): HoneError {
  const text = Buffer.from(name, "latin1").toString();
  return new HoneError("git-failed", `${JSON.stringify(text)} in the history is not ${kind}`, {
    hint: "Replace links, submodules or folders of that name by plain files and commit that.",
  });
}

function treeOf(entries: readonly TreeEntry[]): NewObject {
  const sorted = entries.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const lines = sorted.flatMap(({ mode, id, name }) => [
    Buffer.from(`${mode} ${name}\0`, "latin1"),
    Buffer.from(id, "hex"),
  ]);
  return objectOf("tree", Buffer.concat(lines));
}

/** git sorts a folder as if its name ended in a slash. */
function sortKey({ mode, name }: TreeEntry): string {
  return mode === FOLDER ? `${name}/` : name;
}

function nameOf(segment: string): string {
  return Buffer.from(segment, "utf8").toString("latin1");
}

/** The entries of a tree. Rejects with `not-found`. */
async function readTree(reader: ObjectReader, id: string): Promise<readonly TreeEntry[]> {
  const known = reader.trees.get(id);
  if (known !== undefined) return known;
  const object = await reader.read(id);
  if (object?.type === "tree") {
    const tree = parseTree(object.bytes);
    reader.trees.add(id, tree);
    return tree;
  }
  throw new HoneError("not-found", `there is no tree ${id} in the repository`, {
    hint: "Run `git fsck` in the workspace's repository.",
  });
}

function parseTree(bytes: Buffer): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    const blank = bytes.indexOf(32, at);
    const end = bytes.indexOf(0, blank);
    entries.push({
      mode: bytes.toString("latin1", at, blank),
      name: bytes.toString("latin1", blank + 1, end),
      id: bytes.toString("hex", end + 1, end + 21),
    });
    at = end + 21;
  }
  return entries;
}
