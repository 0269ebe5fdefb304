import type { Skill } from "../domain/skill.ts";

/** A skill's folder as one commit has it, read and validated; every problem is a sentence. */
export type Loaded =
  | {
      readonly status: "sound";
      readonly name: string;
      readonly tree: string;
      readonly skill: Skill;
    }
  | {
      readonly status: "unsound";
      readonly name: string;
      readonly tree: string;
      readonly problems: readonly string[];
    };

/** The versioned skill library, read from git objects, never from the work tree. */
export interface Library {
  /** The active version. Throws `not-found` for a skill that is not there, `bad-skill` for one that cannot be loaded. */
  active(name: string): Promise<Skill>;
  /** Names of the skills at the head, sorted. */
  names(): Promise<readonly string[]>;
  /** All skills of a commit. */
  loadAll(commit: string): Promise<readonly Loaded[]>;
  /** The named skills as a commit has them; at which commit each was changed is not looked up. */
  contents(commit: string, names: ReadonlySet<string>): Promise<readonly Loaded[]>;
  /** A folder that is in no commit, read as a skill that has no version yet. */
  draft(name: string, files: Readonly<Record<string, string>>): Promise<Loaded>;
  /** A skill as it was at one of its versions; null where it did not exist or cannot be loaded. */
  at(name: string, version: string): Promise<Skill | null>;
}
