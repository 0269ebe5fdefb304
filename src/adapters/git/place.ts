import path from "node:path";
import { HoneError } from "../../domain/errors.ts";
import { inheritedSearchPath } from "./environment.ts";
import { Git } from "./git-process.ts";
import { headOf } from "./worktrees.ts";

/** Where a workspace's history lies. */
export type Place = {
  readonly git: Git;
  /** The root of the checkout that holds the workspace. */
  readonly top: string;
  /** What this checkout has for itself: HEAD, the index. */
  readonly gitDir: string;
  /** What all checkouts share: refs and objects. */
  readonly commonDir: string;
  /** The workspace inside the repository, without a slash at its end; "" at its root. */
  readonly prefix: string;
  /** The clock of hone's commits, in milliseconds since the epoch. */
  readonly now: () => number;
};

/** What the file HEAD says where refs are not files (`extensions.refStorage`). */
const REFTABLE_HEAD = "refs/heads/.invalid";

const OLDEST_GIT = { major: 2, minor: 38 };

/**
 * The repository that holds a folder, or null. Rejects with `git-failed` for a bare repository, one
 * that does not use SHA-1, and a git that is too old.
 */
export async function locate(folder: string, now: () => number): Promise<Place | null> {
  const searchPath = inheritedSearchPath();
  // Looking runs no program of the repository, so any folder may be looked at.
  const scout = new Git({ folder, searchPath, now });
  const trusting = {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
  };
  const [version, where] = await Promise.all([
    scout.line(["version"]),
    scout.run({
      args: [
        "rev-parse",
        "--is-bare-repository",
        "--show-object-format",
        "--path-format=absolute",
        "--absolute-git-dir",
        "--git-common-dir",
        "--show-prefix",
        "--show-toplevel",
      ],
      environment: trusting,
      answers: [0, 128],
    }),
  ]);
  requireVersion(version);
  const [isBare, format, gitDir = "", commonDir = "", prefix = "", top = ""] = where.output
    .toString()
    .split("\n");
  if (isBare === "true") throw unusable(folder, "is a bare repository: it has no files");
  if (where.code !== 0) return absent(folder, where.complaint);
  if ((await headOf(gitDir)) === REFTABLE_HEAD) {
    throw unusable(folder, "keeps its refs in a table, which hone cannot follow yet");
  }
  if (format !== "sha1") throw unusable(folder, `uses ${String(format)} object ids, not sha1`);
  return {
    git: new Git({ folder: top, searchPath, now }),
    top,
    gitDir,
    commonDir: path.resolve(folder, commonDir),
    prefix: prefix.replace(/\/$/, ""),
    now,
  };
}

/** The path of something in the workspace, as segments from the root of the repository. */
export function segmentsFromRoot(place: Place, segments: readonly string[]): readonly string[] {
  return place.prefix === "" ? segments : [...place.prefix.split("/"), ...segments];
}

/** The same as one path, `.` for the root. */
export function pathFromRoot(place: Place, segments: readonly string[]): string {
  return segmentsFromRoot(place, segments).join("/") || ".";
}

function requireVersion(line: string): void {
  const [, major = "0", minor = "0"] = /^git version (\d+)\.(\d+)/.exec(line) ?? [];
  const isEnough =
    Number(major) > OLDEST_GIT.major ||
    (Number(major) === OLDEST_GIT.major && Number(minor) >= OLDEST_GIT.minor);
  if (isEnough) return;
  throw new HoneError("git-failed", `${line} is too old for hone`, {
    hint: `Install git ${String(OLDEST_GIT.major)}.${String(OLDEST_GIT.minor)} or later.`,
  });
}

function absent(folder: string, complaint: string): null {
  if (complaint.includes("not a git repository")) return null;
  throw unusable(folder, `cannot be used: ${complaint.trim()}`);
}

function unusable(folder: string, why: string): HoneError {
  return new HoneError("git-failed", `the git repository at ${folder} ${why}`, {
    hint: "Use a workspace inside an ordinary checkout, or an empty folder.",
  });
}
