import { Command } from "commander";
import type { Json, JsonObject } from "../domain/json.ts";
import { HoneError } from "../domain/errors.ts";
import { findWorkspace } from "../workspace-folder.ts";
import { unlessAborted, type Invoke } from "./invocation.ts";

/** `hone reload`: the daemon reads its settings anew, as SIGHUP has it do. */
export function reloadCommand(invoke: Invoke): Command {
  return new Command("reload")
    .description("have the daemon read its settings anew; wrong ones are refused")
    .action(() =>
      invoke(async ({ cwd, workspace, signal, terminal }) => {
        const { connect } = await import("../serve/http/client.ts");
        const { socketPathOf } = await import("../serve/http/socket-path.ts");
        const client = await connect(socketPathOf(findWorkspace(cwd, workspace)));
        if (client === null) throw noDaemon();
        await using daemon = client;
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

function noDaemon(): HoneError {
  return new HoneError("daemon-unreachable", "There is no daemon that would read its settings", {
    hint: "A command reads them whenever it runs; `hone start` starts a daemon.",
  });
}
