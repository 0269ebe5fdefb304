import { Command } from "commander";
import { findWorkspace } from "../workspace-folder.ts";
import type { Invoke } from "./invocation.ts";
import { wholeNumber } from "./options.ts";

/** `hone wait`: done when a daemon answers; exits 3 when none does in time. */
export function waitCommand(invoke: Invoke): Command {
  return new Command("wait")
    .description("wait until the daemon answers")
    .option("--timeout <seconds>", "how long", wholeNumber(0), 30)
    .action(({ timeout }: { readonly timeout: number }) =>
      invoke(async ({ cwd, workspace, signal, terminal }) => {
        const dir = findWorkspace(cwd, workspace);
        const { waitForDaemon } = await import("../daemon/life/start-daemon.ts");
        const pid = await waitForDaemon(dir, { timeoutMs: timeout * 1_000, signal });
        terminal.answerText({ ready: true, pid }, `the daemon answers (pid ${pid})`);
        return 0;
      }),
    );
}
