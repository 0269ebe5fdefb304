import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { requiredDaemon } from "./reach-daemon.ts";

/** `hone dashboard`: a link that lets a browser into the dashboard, once and for two minutes. */
export function dashboardCommand(invoke: Invoke): Command {
  return new Command("dashboard")
    .description("print a link to the dashboard, good once and for two minutes")
    .action(() =>
      invoke(async (invocation) => {
        await using daemon = await requiredDaemon(invocation);
        const link = await daemon.loginLink();
        invocation.terminal.answerText({ link }, link);
        return 0;
      }),
    );
}
