import { Command } from "commander";
import type { Invoke } from "./invocation.ts";

export function mcpInstallCommand(invoke: Invoke): Command {
  return new Command("install").argument("<client>", "which").action((client: string) =>
    invoke(async ({ terminal }) => {
      terminal.answer({ client });
      return 0;
    }),
  );
}
