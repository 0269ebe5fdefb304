import { Command } from "commander";
import { findWorkspace } from "../workspace-folder.ts";
import type { Invoke } from "./invocation.ts";
import { plainText } from "./plain-text.ts";

/** Where the daemon's log is in the workspace. */
const LOG = "data/run/hone.log";

/** `hone run`: the daemon in the foreground. It answers signals itself: the first ends it gently. */
export function runCommand(invoke: Invoke): Command {
  return new Command("run")
    .description("run the daemon in the foreground")
    .option(
      "--set <key=value>",
      "one setting, as in improve.budgetMs=5000; may be repeated",
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .action(({ set }: { set: readonly string[] }) =>
      invoke(async ({ cwd, env, workspace, isQuiet, terminal }) => {
        const dir = findWorkspace(cwd, workspace);
        const { loadConfig } = await import("../config-file.ts");
        const { config } = await loadConfig({ workspaceDir: dir, env, flags: set });
        const { runDaemon } = await import("../daemon/daemon.ts");
        return await runDaemon(dir, {
          config: isQuiet ? { ...config, logLevel: "error" } : config,
          onReady: ({ socketPath }) =>
            terminal.answerText(
              { ready: true, workspace: dir, socketPath, log: LOG, pid: process.pid },
              `hone serves ${plainText(dir)}, its log is ${LOG}`,
            ),
        });
      }),
    );
}
