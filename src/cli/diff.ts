import { Command } from "commander";
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
        const { diff } = answer;
        terminal.answerText(answer, typeof diff === "string" ? coloured(diff, terminal) : "");
        return 0;
      }),
    );
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
