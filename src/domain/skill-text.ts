import type { Wanted } from "./birth.ts";
import { lineOf, type Case } from "./case.ts";

/** The files of a skill that is made: its contract, its source, the cases that may be seen. */
export function skillFilesOf(
  wanted: Wanted,
  source: string,
  cases: readonly Case[],
): Readonly<Record<string, string>> {
  return {
    "SKILL.md": manifestText(wanted),
    "skill.ts": source,
    "cases.jsonl": cases.map((of) => `${lineOf(of)}\n`).join(""),
  };
}

/** JSON is YAML: values are written so, that no text can end its line or begin another key. */
function manifestText({ name, description, capabilities }: Wanted): string {
  const granted = Object.keys(capabilities).length > 0;
  return [
    "---",
    `name: ${name}`,
    `description: ${JSON.stringify(description)}`,
    "metadata:",
    "  kind: function",
    ...(granted ? [`  capabilities: ${JSON.stringify(capabilities)}`] : []),
    "---",
    "",
    description.replace(/\s+/g, " ").trim(),
    "",
  ].join("\n");
}
