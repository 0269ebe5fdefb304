import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

/** Somebody who works in the workspace with git and an editor. */
export type Person = {
  /** Changes a file and commits it; resolves with the commit. */
  readonly commit: (file: string, change: (text: string) => string) => Promise<string>;
  /** Takes a commit back by another one. */
  readonly takeBack: (commit: string) => Promise<void>;
  readonly git: (...args: readonly string[]) => Promise<string>;
};

/** hone holds git's lock for a moment while it brings a release to the checkout. */
const TRIES = 100;

export function personIn(dir: string): Person {
  const own = ["-c", "user.name=A Person", "-c", "user.email=person@example.com"];
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_EDITOR: "true",
  };
  const git = async (...args: readonly string[]): Promise<string> => {
    for (let left = TRIES; ; left -= 1) {
      try {
        const { stdout } = await promisify(execFile)("git", [...own, ...args], { cwd: dir, env });
        return stdout.trimEnd();
      } catch (error) {
        if (left === 0 || !/\.lock|cannot lock ref/.test(String(error))) throw error;
        await pause(50);
      }
    }
  };
  return {
    git,
    async commit(file, change) {
      const before = await readFile(path.join(dir, file), "utf8");
      const after = change(before);
      if (after === before) throw new Error(`the person finds nothing to change in ${file}`);
      await writeFile(path.join(dir, file), after);
      await git("commit", "--quiet", "--message", `${file}: quicker`, "--", file);
      return await git("rev-parse", "HEAD");
    },
    takeBack: async (commit) => void (await git("revert", "--no-edit", commit)),
  };
}
