import { readFile, readdir, readlink, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { HONE_REF, NOTES_REF } from "./names.ts";
import type { Place } from "./place.ts";

type Lock = { readonly name: string; readonly file: string; readonly afterMs: number };
type Living = { readonly openFiles: ReadonlySet<string>; readonly isGitAtWork: boolean };

/** Only hone takes the first two, so they are stale sooner. */
const OWN_AFTER_MS = 2_000;
const SHARED_AFTER_MS = 10_000;

/** Commands that take no lock on a ref or the index; hone runs many of them at any time. */
const READERS = new Set([
  "cat-file",
  "check-attr",
  "config",
  "diff-tree",
  "fsmonitor--daemon",
  "hash-object",
  "merge-base",
  "merge-tree",
  "rev-list",
  "rev-parse",
  "unpack-objects",
  "version",
  "worktree",
]);

/**
 * Removes the locks that a killed git left and that stand in hone's way; returns their names.
 *
 * A lock goes only if it is old, no process has it open, and no git is at work in the repository: a
 * `git commit -a` that waits for an editor holds index.lock without having it open. index.lock is
 * a person's, so it goes only where the workspace is the whole repository. What cannot be seen
 * (another user's git, a system without /proc) counts as a holder.
 */
export async function clearStaleLocks(place: Place): Promise<readonly string[]> {
  const old = await oldLocks(place);
  if (old.length === 0) return [];
  const living = await processesAtWork(place);
  if (living === null || living.isGitAtWork) return [];
  const stale = old.filter(({ file }) => !living.openFiles.has(file));
  const removed = await Promise.all(stale.map(removeIfStillOld));
  return stale.filter((_, at) => removed[at]).map(({ name }) => name);
}

function locksOf({ commonDir, gitDir, prefix }: Place): readonly Lock[] {
  const own = [HONE_REF, NOTES_REF].map((ref) => lock(commonDir, ref, OWN_AFTER_MS));
  const shared = [lock(commonDir, "packed-refs", SHARED_AFTER_MS)];
  const index = prefix === "" ? [lock(gitDir, "index", SHARED_AFTER_MS)] : [];
  return [...own, ...shared, ...index];
}

function lock(folder: string, of: string, afterMs: number): Lock {
  return { name: `${of}.lock`, file: path.join(folder, `${of}.lock`), afterMs };
}

async function oldLocks(place: Place): Promise<readonly Lock[]> {
  const locks = locksOf(place);
  const old = await Promise.all(locks.map(isOld));
  return locks.filter((_, at) => old[at]);
}

/**
 * Files carry the machine's time, whatever clock the commits go by. A lock of the future was made
 * before that clock was put back.
 */
async function isOld({ file, afterMs }: Lock): Promise<boolean> {
  return stat(file).then(
    ({ mtimeMs }) => Math.abs(Date.now() - mtimeMs) > afterMs,
    () => false,
  );
}

/** The lock looked at may have gone meanwhile, and another come in its place. */
async function removeIfStillOld(lock: Lock): Promise<boolean> {
  if (!(await isOld(lock))) return false;
  return unlink(lock.file).then(
    () => true,
    () => false,
  );
}

/** What the living processes hold; null where they cannot be listed. */
async function processesAtWork(place: Place): Promise<Living | null> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return null;
  const openFiles = new Set<string>();
  let isGitAtWork = false;
  for (const pid of pids) {
    if (await isWritingGit(pid, place)) isGitAtWork = true;
    for (const file of await openFilesOf(pid)) openFiles.add(file);
  }
  return { openFiles, isGitAtWork };
}

/** Whether a process is a git that may write to this repository. */
async function isWritingGit(pid: string, { top, commonDir }: Place): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
  if (!name.startsWith("git")) return false;
  const words = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  if (words === "" || READERS.has(commandOf(words.split("\0")))) return false;
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  if (folder === null) return exists(pid);
  const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
  return (
    [top, commonDir].some((root) => `${folder}/`.startsWith(`${root}/`)) ||
    [words, environment].some((text) => text.includes(commonDir) || text.includes(top))
  );
}

/** The command in the words of a git process; what cannot be told apart is no reader. */
function commandOf([, ...words]: readonly string[]): string {
  const at = words.findIndex(
    (word, index) => !word.startsWith("-") && !/^-[cC]$/.test(words[index - 1] ?? ""),
  );
  return words[at] ?? "";
}

/** A git that ended while it was looked at holds nothing; one that hides may hold anything. */
async function exists(pid: string): Promise<boolean> {
  return stat(`/proc/${pid}`).then(
    () => true,
    () => false,
  );
}

async function openFilesOf(pid: string): Promise<readonly string[]> {
  const fds = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")));
}
