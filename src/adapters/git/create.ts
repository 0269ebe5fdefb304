import { HoneError, boundary } from "../../domain/errors.ts";
import { FIXED_CONFIG, gitEnvironment, inheritedSearchPath } from "./environment.ts";
import { HONE_REF } from "./names.ts";
import { type Place, locate } from "./place.ts";
import { resolveRef, moveRefs } from "./refs.ts";

/** What became of a workspace's repository. */
export type Created = {
  /** Whether hone made the repository, rather than find one. */
  readonly made: boolean;
  /** Root of the checkout. */
  readonly top: string;
  /** The workspace inside it, "" at its root. */
  readonly prefix: string;
  /** Where the branch `hone` stands. */
  readonly head: string;
};

/** What later gits may choose otherwise. */
const FORMATS = { GIT_DEFAULT_HASH: "sha1", GIT_DEFAULT_REF_FORMAT: "files" };

const LIMIT_MS = 60_000;

/**
 * Gives a workspace its history: the repository that holds the folder, or a new one whose first
 * commit has the folder's files. Creates the branch `hone` at HEAD where there is none; an existing
 * checkout is not touched, so its new files are not in the history before a person commits them.
 * Rejects with `git-failed`, also for a repository without a commit.
 */
export async function createRepository(
  dir: string,
  now: () => number = Date.now,
): Promise<Created> {
  const found = await locate(dir, now);
  const place = found ?? (await makeRepository(dir, now));
  return {
    made: found === null,
    top: place.top,
    prefix: place.prefix,
    head: await branchOff(place),
  };
}

/** The only porcelain that hone speaks: in a folder of its own making there is nothing to harm. */
async function makeRepository(dir: string, now: () => number): Promise<Place> {
  const environment = { ...gitEnvironment(inheritedSearchPath(), now()), ...FORMATS };
  // Loaded here, where it is needed once in the life of a workspace.
  const { simpleGit } = await import("simple-git");
  const git = simpleGit({
    baseDir: dir,
    config: [...FIXED_CONFIG],
    abort: AbortSignal.timeout(LIMIT_MS),
    allowEnvironment: Object.keys(environment),
    // The package guards these against strangers; here they are fixed, and switch things off.
    unsafe: {
      allowUnsafeConfigPaths: true,
      allowUnsafeHooksPath: true,
      allowUnsafeFsMonitor: true,
    },
  }).env(environment);
  const hint = "Check that the folder can be written, or run `git init` in it yourself.";
  await boundary({ code: "git-failed", retryable: false, hint }, `git init in ${dir}`, async () => {
    await git.init(["--initial-branch=main"]);
    await git.raw(["add", "--all", "--", "."]);
    await git.raw([
      "commit",
      "--quiet",
      "--allow-empty",
      "-m",
      "workspace: the files as they were given",
    ]);
  });
  const place = await locate(dir, now);
  if (place === null) throw new Error(`git init made no repository in ${dir}`);
  return place;
}

async function branchOff(place: Place): Promise<string> {
  const existing = await resolveRef(place, HONE_REF);
  if (existing !== null) return existing;
  const head = await resolveRef(place, "HEAD");
  if (head === null) {
    throw new HoneError("git-failed", `the repository at ${place.top} has no commit yet`, {
      hint: "Commit the files that belong in it, then run `hone init` again.",
    });
  }
  await moveRefs(place, [{ ref: HONE_REF, from: null, to: head }], "hone: init");
  return head;
}
