import { HoneError } from "../../domain/errors.ts";

/** The branch that is hone's alone, and the notes that hold its evidence. */
export const HONE_REF = "refs/heads/hone";
export const NOTES_REF = "refs/notes/hone";

/** The id of an object, in full. Throws `git-failed` for anything else. */
export function objectId(value: string): string {
  if (/^[0-9a-f]{40}$/.test(value)) return value;
  throw new HoneError("git-failed", `${JSON.stringify(value)} is not a full object id`, {
    hint: "Use the 40 hexadecimal digits that `git log` shows.",
  });
}

/** The id of an object, in full or shortened. Throws `not-found` for anything else. */
export function objectName(value: string): string {
  if (/^[0-9a-f]{4,40}$/.test(value)) return value;
  throw new HoneError("not-found", `${JSON.stringify(value)} is not the id of a commit`, {
    hint: "Run `hone log` to see the commits of a skill.",
  });
}

/** The full ref of a branch, by the rules of git-check-ref-format. Throws `bad-config`. */
export function branchRef(branch: string): string {
  const forbidden = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|^[-./]|[./]$|^$/u;
  if (!forbidden.test(branch)) return `refs/heads/${branch}`;
  throw new HoneError("bad-config", `${JSON.stringify(branch)} is not the name of a branch`, {
    hint: "Set `branch` in hone.yaml to a branch of the repository, or leave it empty.",
  });
}

/** The segments of a folder to read; none for the workspace itself. Throws `git-failed`. */
export function folderSegments(folder: string): readonly string[] {
  if (folder === "") return [];
  const segments = folder.split("/");
  const isSound = segments.every((segment) => !/^(?:|\.|\.\.)$|[\p{Cc}\\]/u.test(segment));
  if (isSound) return segments;
  throw new HoneError("git-failed", `${JSON.stringify(folder)} is not a folder's path`, {
    hint: "Give a path relative to the workspace, with `/` between its parts.",
  });
}

/**
 * The segments of a file that hone may write: plain ASCII names that mean the same on every file
 * system and are nothing to git itself, so no `.git`, no `.gitattributes`, no `GIT~1`.
 */
export function fileSegments(path: string): readonly string[] {
  const segments = path.split("/");
  const isSound =
    path.length <= 400 &&
    segments.every((segment) =>
      /^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?$/.test(segment),
    );
  if (isSound) return segments;
  throw new HoneError("git-failed", `hone does not write a file named ${JSON.stringify(path)}`, {
    hint: "Use letters, digits, `.`, `_` and `-`, and begin with a letter, a digit or `_`.",
  });
}
