import { fileOf, type Skill } from "./skill.ts";

/** Largest source, in bytes as UTF-8: nobody reads a longer patch. */
export const LARGEST_SOURCE_BYTES = 65_536;

/** Parts of a path that every file system and git spell in one way only; none begins with a dot. */
const PART = /^[a-z0-9_-]+(?:\.[a-z0-9]+)*$/;

/**
 * What is wrong with the files that a patch touches: it may give the one source of its skill another
 * text, and nothing else. Paths are from the workspace; a value that is no text (a deletion, a link,
 * another mode) is refused, whatever it is.
 */
export function scopeProblems(
  skill: Pick<Skill, "name" | "language">,
  changes: Readonly<Record<string, unknown>>,
): readonly string[] {
  const own = `skills/${skill.name}/${fileOf(skill)}`;
  return Object.entries(changes).flatMap(([path, content]) => {
    if (path !== own) {
      const isPlain = path.split("/").every((part) => PART.test(part));
      return [isPlain ? `touches ${path}` : `names ${shown(path)}`];
    }
    if (content === null) return [`deletes ${path}`];
    if (typeof content !== "string") return [`makes ${path} something else than a plain file`];
    const bytes = new TextEncoder().encode(content).length;
    if (bytes > LARGEST_SOURCE_BYTES) {
      return [`makes ${path} ${bytes} bytes long; ${LARGEST_SOURCE_BYTES} are allowed`];
    }
    return content.includes("\0") ? [`makes ${path} a binary file`] : [];
  });
}

/** A path with all that is not plain ASCII written as escapes. */
function shown(path: string): string {
  return path.slice(0, 200).replace(/[^ -~]/g, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
  });
}
