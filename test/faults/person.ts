import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { TestWorkspace } from "../support/workspace.ts";

const DIRTY = "notes/at-work.md";
const STAGED = "notes/staged.md";
const UNTRACKED = "notes/scratch.bin";

/** What the person has committed before. */
export const NOTES: Readonly<Record<string, string>> = { [DIRTY]: "a whole thought\n" };

/** Line ends, a BOM and bytes that are no text: whoever writes them anew changes them. */
const BYTES: Readonly<Record<string, string>> = {
  [DIRTY]: "\uFEFFhalf a thought\r\nand no end",
  [STAGED]: "soon\n",
  [UNTRACKED]: "\u0000\u0001\r\n\u00ff",
};

/**
 * A person in the middle of work on the branch `main`: an edited file, a staged one, an untracked
 * one, a stash, and another branch.
 */
export class Person {
  readonly #workspace: TestWorkspace;
  readonly #state: string;
  readonly #main: string;

  /** The person of a workspace who is at work already, as in a copy. */
  constructor(workspace: TestWorkspace) {
    this.#workspace = workspace;
    this.#state = this.#look();
    this.#main = workspace.git("rev-parse", "main");
  }

  /** A person begins to work. */
  static begin(workspace: TestWorkspace): Person {
    workspace.git("branch", "feature");
    workspace.write({ [DIRTY]: "for later\n" });
    workspace.git("stash", "--quiet");
    workspace.write(BYTES);
    workspace.git("add", STAGED);
    return new Person(workspace);
  }

  /** Commits some files on `main`, and nothing of what the person has at work. */
  commit(files: Readonly<Record<string, string>>): string {
    const names = Object.keys(files);
    this.#workspace.write(files);
    this.#workspace.git("add", "--", ...names);
    this.#workspace.git("commit", "--quiet", "-m", "a person's work", "--", ...names);
    return this.#workspace.git("rev-parse", "main");
  }

  /** Nothing of the person's was touched; `main` stands still or was brought forward to hone. */
  assertUntouched(): void {
    const git = (...words: readonly string[]): string => this.#workspace.git(...words);
    for (const [file, bytes] of Object.entries(BYTES)) {
      const now = readFileSync(path.join(this.#workspace.dir, file), "utf8");
      assert.equal(now, bytes, `the person's ${file} is byte-identical`);
    }
    assert.equal(this.#look(), this.#state, "the person's index, branches and stash");
    const main = git("rev-parse", "main");
    assert.equal(git("merge-base", "main", this.#main), this.#main, "main goes forward only");
    assert.equal(git("rev-parse", "HEAD"), main, "the person is on main");
  }

  #look(): string {
    const git = (...words: readonly string[]): string => this.#workspace.git(...words);
    return [
      git("symbolic-ref", "HEAD"),
      // To look is not to write: the index is refreshed by whoever has room for it.
      git("--no-optional-locks", "status", "--porcelain=v2", "--", "notes", "skills").replaceAll(
        / [0-9a-f]{40}/g,
        "",
      ),
      git("ls-files", "--stage", "--", "notes"),
      git("diff", "--cached", "--name-only"),
      git("for-each-ref", "refs/heads/feature", "refs/stash", "--format=%(refname) %(objectname)"),
      git("stash", "list"),
    ].join("\n---\n");
  }
}
