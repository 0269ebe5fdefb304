import { Command } from "commander";
import type { JsonObject } from "../domain/json.ts";
import type { Invoke } from "./invocation.ts";
import { plainText } from "./plain-text.ts";
import type { Terminal } from "./terminal.ts";
import { withOperations } from "./with-operations.ts";

/** `hone diff <skill>`: what its last release changed, or what lies between two commits. */
export function diffCommand(invoke: Invoke): Command {
  return new Command("diff")
    .description("what the last release of a skill changed, as a unified diff")
    .argument("<skill>", "name of the skill")
    .option("--from <commit>", "from this version")
    .option("--to <commit>", "to this version")
    .action((skill: string, range: { from?: string; to?: string }) =>
      invoke(async (invocation) => {
        const { terminal } = invocation;
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.diff({ skill, ...range }),
        );
        const diff = typeof answer["diff"] === "string" ? answer["diff"] : "";
        // Nothing on stdout, so that an empty diff can be piped as well.
        if (diff === "" && !terminal.isJson) terminal.progress(sameness(skill, answer));
        else terminal.answerText(answer, coloured(diff, terminal));
        return 0;
      }),
    );
}

function sameness(skill: string, { from, to }: JsonObject): string {
  const [start, end] = [from, to].map((commit) =>
    typeof commit === "string" ? commit.slice(0, 10) : "",
  );
  return start === end
    ? `${skill} has not changed since its first version, ${start}`
    : `${skill} is the same at ${start} and ${end}`;
}

function coloured(diff: string, terminal: Terminal): string {
  return plainText(diff).trimEnd().split("\n").map(colouredLine).join("\n");

  function colouredLine(line: string): string {
    if (/^(---|\+\+\+|diff |index )/.test(line)) return terminal.paint("bold", line);
    if (line.startsWith("@@")) return terminal.paint("cyan", line);
    if (line.startsWith("+")) return terminal.paint("green", line);
    return line.startsWith("-") ? terminal.paint("red", line) : line;
  }
}
