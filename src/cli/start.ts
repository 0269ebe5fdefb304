import { Command } from "commander";
import { findWorkspace } from "../workspace-folder.ts";
import type { Invocation, Invoke } from "./invocation.ts";
import { repeated, wholeNumber } from "./options.ts";
import { plainText } from "./plain-text.ts";
import { SETTING } from "./run.ts";

type Starting = {
  readonly set: readonly string[];
  readonly normal?: true;
  readonly timeout: number;
};

/** `hone start`: the daemon in the background; done when it answers, or failed with the reason. */
export function startCommand(invoke: Invoke): Command {
  return withStarting(new Command("start"))
    .description("start the daemon in the background, and wait until it answers")
    .action((options: Starting) =>
      invoke(async (invocation) => {
        await start(findWorkspace(invocation.cwd, invocation.workspace), options, invocation);
        return 0;
      }),
    );
}

/** `hone restart`: `stop`, then `start`. */
export function restartCommand(invoke: Invoke): Command {
  return withStarting(new Command("restart"))
    .description("stop the daemon and start it again")
    .action((options: Starting) =>
      invoke(async (invocation) => {
        const dir = findWorkspace(invocation.cwd, invocation.workspace);
        const { refuseSupervised, stopDaemon } = await import("../daemon/life/stop-daemon.ts");
        await refuseSupervised(dir);
        // Settings that would keep it from starting are told before it is stopped.
        const { loadValid } = await import("../daemon/life/valid-settings.ts");
        await loadValid({ workspaceDir: dir, env: invocation.env, flags: options.set });
        const timeoutMs = options.timeout * 1_000;
        await stopDaemon(dir, { timeoutMs, isNow: false, signal: invocation.signal });
        await start(dir, options, invocation);
        return 0;
      }),
    );
}

function withStarting(command: Command): Command {
  return command
    .option("--timeout <seconds>", "how long to wait for it", wholeNumber(1), 60)
    .option("--set <key=value>", SETTING, repeated, [])
    .option("--normal", "leave safe mode, whatever has crashed before");
}

async function start(
  dir: string,
  { set, normal, timeout }: Starting,
  { env, signal, terminal, isQuiet }: Invocation,
): Promise<void> {
  const { startInBackground } = await import("../daemon/life/start-daemon.ts");
  const [, program = ""] = process.argv;
  const { pid, socketPath } = await startInBackground(dir, {
    command: [process.execPath, ...process.execArgv, program],
    args: [
      ...set.flatMap((each) => ["--set", each]),
      ...(normal === true ? ["--normal"] : []),
      ...(isQuiet ? ["--quiet"] : []),
    ],
    env,
    timeoutMs: timeout * 1_000,
    signal,
  });
  terminal.answerText(
    { ready: true, workspace: dir, socketPath, pid },
    `hone serves ${plainText(dir)} in the background (pid ${pid}); \`hone logs -f\` shows what it does`,
  );
}
