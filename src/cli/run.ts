import { Command } from "commander";
import { findWorkspace } from "../workspace-folder.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Invoke } from "./invocation.ts";
import { repeated } from "./options.ts";
import { plainText } from "./plain-text.ts";
import type { Terminal } from "./terminal.ts";

/** What the option `--set` is. */
export const SETTING = "one setting, as in improve.budgetMs=5000; may be repeated";

/** Where the daemon's log is in the workspace. */
const LOG = "data/run/hone.log";

/** `hone run`: the daemon in the foreground. It answers signals itself: the first ends it gently. */
export function runCommand(invoke: Invoke): Command {
  return new Command("run")
    .description("run the daemon in the foreground")
    .option("--set <key=value>", SETTING, repeated, [])
    .option("--normal", "leave safe mode, whatever has crashed before")
    .action(({ set, normal }: { set: readonly string[]; normal?: true }) =>
      invoke(async ({ cwd, env, workspace, isQuiet, terminal }) => {
        const dir = findWorkspace(cwd, workspace);
        const { loadConfig } = await import("../config-file.ts");
        const { runDaemon } = await import("../daemon/daemon.ts");
        return await runDaemon(dir, {
          load: async () => {
            const { config } = await loadConfig({ workspaceDir: dir, env, flags: set });
            return isQuiet ? { ...config, logLevel: "error" } : config;
          },
          isNormal: normal === true,
          ...(await mirrorFor(terminal)),
          onReady: ({ socketPath, http }) =>
            terminal.answerText(
              { ready: true, workspace: dir, socketPath, http, log: LOG, pid: process.pid },
              `hone serves ${plainText(dir)}, its log is ${LOG}${wayIn(http)}`,
            ),
        });
      }),
    );
}

function wayIn(http: string | null): string {
  return http === null ? "" : `\n${http} wants its token: \`hone dashboard\` prints a way in`;
}

/** On a terminal the log is shown as well, laid out for people. */
async function mirrorFor(terminal: Terminal): Promise<{ readonly onLog?: (line: string) => void }> {
  if (!process.stderr.isTTY || terminal.isJson) return {};
  const { prettyLog } = await import("./pretty-log.ts");
  const pretty = prettyLog(terminal);
  // A terminal that is closed is no reason to end.
  process.stderr.on("error", () => undefined);
  return {
    onLog: (line) => void process.stderr.write(`${pretty(JSON.parse(line) as JsonObject)}\n`),
  };
}
