import { asDefinition } from "../domain/definition.ts";
import { HoneError } from "../domain/errors.ts";
import type { Skill } from "../domain/skill.ts";
import { readToolCases } from "./tool-cases.ts";
import type { Editor } from "../ports/editor.ts";
import type { House } from "../ports/house.ts";
import type { Library } from "../ports/library.ts";

/**
 * The definition of a tool as something to be judged and repaired, among the tools that the library
 * has now. Throws `bad-skill` where what SKILL.md says, or a line of calls.jsonl, cannot be read.
 */
export function definitionsIn({
  library,
  inspect,
}: {
  readonly library: Library;
  readonly inspect: Editor["inspect"];
}): House["definition"] {
  return async (skill, signal) => {
    const { value: cases, problems } = readToolCases(
      skill.files["calls.jsonl"] ?? "",
      "calls.jsonl",
    );
    if (problems.length > 0) throw bad(skill, problems);
    const text = skill.files["SKILL.md"] ?? "";
    const read = await inspect({ text, language: "definition", entry: null }, signal);
    if (read.status === "unsound")
      throw bad(
        skill,
        read.problems.map(({ message }) => message),
      );
    const names = await library.names();
    const all = await Promise.all(names.map((name) => library.active(name).catch(() => null)));
    const sound = all.filter((one) => one !== null);
    return asDefinition(skill, read, { cases, library: sound });
  };
}

function bad({ name }: Skill, problems: readonly string[]): HoneError {
  return new HoneError("bad-skill", `the definition of ${name}: ${problems.join("; ")}`);
}
