import { HoneError } from "../../domain/errors.ts";
import { type ParsedCommit, parseCommit } from "./commit-text.ts";
import { HONE_REF, folderSegments, objectId } from "./names.ts";
import type { ObjectReader } from "./object-reader.ts";
import { type Place, pathFromRoot } from "./place.ts";

/** A commit by its id, in full or shortened. Rejects with `not-found`. */
export async function readCommit(reader: ObjectReader, name: string): Promise<ParsedCommit> {
  const object = await reader.read(name);
  if (object?.type === "commit") return parseCommit(object);
  throw new HoneError("not-found", `there is no commit ${name} in the repository`, {
    hint: "Run `hone log` to see the commits of a skill.",
  });
}

/** Ids of the commits, reachable from `start`, that changed a folder, newest first. */
export async function changesOf(
  place: Place,
  folder: string,
  from: { readonly start: string; readonly limit: number },
): Promise<readonly string[]> {
  const { output } = await place.git.run({
    args: [
      "rev-list",
      `--max-count=${String(Math.max(1, Math.floor(from.limit)))}`,
      from.start === HONE_REF ? HONE_REF : objectId(from.start),
      "--",
      pathFromRoot(place, folderSegments(folder)),
    ],
  });
  return output.toString().split("\n").filter(Boolean);
}

/** Whether one commit is in the history of another; a commit is in its own. */
export async function isAncestor(
  { git }: Place,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  const { code } = await git.run({
    args: ["merge-base", "--is-ancestor", objectId(ancestor), objectId(descendant)],
    answers: [0, 1],
  });
  return code === 0;
}

/** How many commits each of two heads has that the other has not. */
export async function distance(
  { git }: Place,
  left: string,
  right: string,
): Promise<{ readonly left: number; readonly right: number }> {
  const range = `${objectId(left)}...${objectId(right)}`;
  const counts = await git.line(["rev-list", "--left-right", "--count", range]);
  const [onlyLeft, onlyRight] = counts.split("\t");
  return { left: Number(onlyLeft), right: Number(onlyRight) };
}

/** A unified diff of a folder; paths in it are relative to the workspace. */
export async function diffOf(
  place: Place,
  commits: { readonly from: string; readonly to: string },
  folder: string,
): Promise<string> {
  const relative = place.prefix === "" ? [] : [`--relative=${place.prefix}/`];
  const { output } = await place.git.run({
    args: [
      "diff-tree",
      "-r",
      "-p",
      "--text",
      "--no-color",
      "--no-ext-diff",
      "--no-textconv",
      "--no-renames",
      ...relative,
      objectId(commits.from),
      objectId(commits.to),
      "--",
      pathFromRoot(place, folderSegments(folder)),
    ],
  });
  return output.toString();
}
