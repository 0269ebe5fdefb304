import type { JsonObject } from "../domain/json.ts";
import type { Terminal } from "./terminal.ts";

type Voice = Pick<Terminal, "progress">;

/** A line where skills, or one of them, were edited and not committed: what is committed was used. */
export function tellUncommitted(skills: JsonObject, { progress }: Voice, name?: string): void {
  const edited = wordsIn(skills, "uncommitted").filter((one) => name === undefined || one === name);
  if (edited.length === 0) return;
  progress(`hone: not committed, so not looked at: changes in ${list(edited.map(folderOf))}`);
}

/** The same for the files of the skill that was called. */
export function tellUncommittedFiles(skill: JsonObject, { progress }: Voice): void {
  const edited = wordsIn(skill, "uncommitted");
  if (edited.length > 0) progress(`hone: not committed, so not what ran: ${list(edited)}`);
}

/** Why no skill is served: none is there, none is committed, or none was taken in. */
export function noSkills(skills: JsonObject): string {
  const [problem] = wordsIn(skills, "problems");
  const edited = wordsIn(skills, "uncommitted");
  if (problem !== undefined) return `No skill is served: ${problem}`;
  return edited.length > 0
    ? `No skill is served: commit ${list(edited.map(folderOf))}.`
    : "No skills yet: add a folder under skills/, and commit it.";
}

function folderOf(name: string): string {
  return `skills/${name}`;
}

const MOST_NAMED = 5;

function list(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function wordsIn(answer: JsonObject, key: string): readonly string[] {
  const words = answer[key];
  return Array.isArray(words) ? words.map(String) : [];
}
