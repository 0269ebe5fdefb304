import { readdirSync } from "node:fs";
import path from "node:path";
import { script } from "@bomb.sh/tab";
import tab from "@bomb.sh/tab/commander";
import { Argument, Command } from "commander";
import { nearestWorkspace } from "../workspace-folder.ts";
import type { Invoke } from "./invocation.ts";

const TABS_OWN = "completion-of";

const SHELLS = ["bash", "zsh", "fish", "pwsh"] as const;

/** `hone completion <shell>`: the script that a shell reads to complete hone's commands. */
export function completionCommand(invoke: Invoke): Command {
  return new Command("completion")
    .description("print the completion script of a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) =>
      invoke(async () => {
        script(shell === "pwsh" ? "powershell" : shell, "hone", "hone");
        return 0;
      }),
    );
}

/** What the script asks for at each press of the key: `hone complete -- <words so far>`. */
export function completeCommand(invoke: Invoke, programOf: () => Command): Command {
  return new Command("complete")
    .argument("[words...]", "the words of the line so far")
    .action((words: readonly string[]) =>
      invoke(async ({ cwd, workspace }) => {
        // It adds its own command to the program, which is none of hone's.
        const asked = tab(programOf(), { completionCommandName: TABS_OWN });
        asked.commands.delete(TABS_OWN);
        const names = (): readonly string[] => skillNames(cwd, workspace);
        for (const command of asked.commands.values()) {
          for (const [name, argument] of command.arguments) {
            if (name !== "skill" && name !== "name") continue;
            argument.handler = (complete) => {
              for (const each of names()) complete(each, "");
            };
          }
        }
        asked.parse([...words]);
        return 0;
      }),
    );
}

/** The skills in the work tree: to ask git or a daemon would take longer than a person waits. */
function skillNames(cwd: string, named: string | undefined): readonly string[] {
  const dir = named === undefined ? nearestWorkspace(cwd) : path.resolve(cwd, named);
  if (dir === null) return [];
  try {
    const entries = readdirSync(path.join(dir, "skills"), { withFileTypes: true });
    return entries.filter((each) => each.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}
