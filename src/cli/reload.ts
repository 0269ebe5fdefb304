import { Command } from "commander";
import type { Json, JsonObject } from "../domain/json.ts";
import { unlessAborted, type Invoke } from "./invocation.ts";

/** `hone reload`: the daemon reads its settings anew, as SIGHUP has it do. */
export function reloadCommand(invoke: Invoke): Command {
  return new Command("reload")
    .description("have the daemon read its settings anew; wrong ones are refused")
    .action(() =>
      invoke(async ({ signal, terminal, ...where }) => {
        const { requiredDaemon } = await import("./reach-daemon.ts");
        await using daemon = await requiredDaemon(where);
        const answer = await unlessAborted(daemon.reload({}), signal);
        terminal.answer(answer, {
          empty: { applied: saidOf(answer) },
          hidden: isEmpty(answer["afterRestart"]) ? ["afterRestart"] : [],
        });
        return 0;
      }),
    );
}

function saidOf({ afterRestart }: JsonObject): string {
  return isEmpty(afterRestart)
    ? "the settings are those in force"
    : "nothing that could be applied now";
}

function isEmpty(list: Json | undefined): boolean {
  return Array.isArray(list) && list.length === 0;
}
