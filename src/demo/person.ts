import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { messageOf } from "../domain/errors.ts";
import { SKILL } from "./make-workspace.ts";
import { outputOf } from "./processes.ts";

/** Somebody who works in the workspace with git and an editor, and knows nothing of hone. */
export type Person = {
  /** Rounds totals down, which loses a cent; resolves with the commit. */
  commitMistake(): Promise<string>;
  /** Takes that back, and refuses to quote less than one piece; resolves with the commit. */
  commitImprovement(): Promise<string>;
  /** What `git` prints. */
  git(...args: readonly string[]): Promise<string>;
};

export const NAME = "A Person";

const ROUNDED = "Math.round(";
const CUT = "Math.floor(";

const CHECK = '  if (!(pieces >= 1)) throw new Error("one piece at least");\n';

/** The person in a workspace. */
export function personIn(dir: string): Person {
  const git = async (...args: readonly string[]): Promise<string> => await gitIn(dir, args);
  const folder = path.join(dir, "skills", SKILL);
  const edit = async (file: string, change: (text: string) => string): Promise<void> => {
    const before = await readFile(path.join(folder, file), "utf8");
    const after = change(before);
    if (after === before) throw new Error(`the person finds nothing to change in ${file}`);
    await writeFile(path.join(folder, file), after);
  };
  const commit = async (message: string): Promise<string> => {
    await git("commit", "--quiet", "--all", "--message", message);
    return await git("rev-parse", "HEAD");
  };
  return {
    git,
    async commitMistake() {
      await edit("skill.ts", (text) => text.replace(ROUNDED, CUT));
      return await commit("quote-price: totals without half cents");
    },
    async commitImprovement() {
      await edit("skill.ts", (text) => withCheck(text.replace(CUT, ROUNDED)));
      await edit("cases.jsonl", (text) => `${text.trimEnd()}\n${NEW_CASE}\n`);
      return await commit("quote-price: one piece at least, and cents as before");
    },
  };
}

const NEW_CASE = JSON.stringify({
  name: "nothing is not for sale",
  input: { item: "tea", pieces: 0 },
  throws: "one piece at least",
});

/** The check as the first statement of the exported function. */
function withCheck(text: string): string {
  return text.replace(/^export async function [^\n]*\{\n/m, (head) => head + CHECK);
}

/** hone may hold git's lock on the index for a moment while it brings a release to the checkout. */
const TRIES = 20;
const PAUSE_MS = 100;

async function gitIn(dir: string, args: readonly string[]): Promise<string> {
  const own = ["-c", `user.name=${NAME}`, "-c", "user.email=person@example.com"];
  for (let left = TRIES; ; left -= 1) {
    try {
      return await outputOf("git", [...own, ...args], dir);
    } catch (error) {
      if (left === 0 || !/index\.lock/.test(messageOf(error))) throw error;
      await pause(PAUSE_MS);
    }
  }
}
