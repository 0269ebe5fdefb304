import { Command } from "commander";
import { findWorkspace } from "../workspace-folder.ts";
import type { Invoke } from "./invocation.ts";
import { wholeNumber } from "./options.ts";

/** `hone stop`: ends the daemon and waits for it. One that is not up is no fault. */
export function stopCommand(invoke: Invoke): Command {
  return new Command("stop")
    .description(
      "end the daemon; what is under way has 10 s to finish, or is done after the next start",
    )
    .option("--timeout <seconds>", "how long to wait for its end", wholeNumber(1), 15)
    .option("--now", "end it at once, and kill it where it does not hear")
    .action(({ timeout, now }: { readonly timeout: number; readonly now?: true }) =>
      invoke(async ({ cwd, workspace, signal, terminal }) => {
        const dir = findWorkspace(cwd, workspace);
        const { stopDaemon } = await import("../daemon/life/stop-daemon.ts");
        const options = { timeoutMs: timeout * 1_000, isNow: now === true, signal };
        const { pid, tookMs } = await stopDaemon(dir, options);
        terminal.answerText(
          { stopped: pid !== null, pid, tookMs },
          pid === null
            ? "no daemon was up"
            : `hone has stopped (pid ${pid}) after ${(tookMs / 1_000).toFixed(1)} s`,
        );
        return 0;
      }),
    );
}
