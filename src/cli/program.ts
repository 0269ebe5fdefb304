import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { HoneError } from "../domain/errors.ts";
import { nearest } from "../domain/nearest.ts";
import { approveCommand } from "./approve.ts";
import { completeCommand, completionCommand } from "./completion.ts";
import { configCommand } from "./config.ts";
import { callCommand } from "./call.ts";
import { cancelCommand } from "./cancel.ts";
import { dashboardCommand } from "./dashboard.ts";
import { demoCommand } from "./demo.ts";
import { diffCommand } from "./diff.ts";
import { doctorCommand } from "./doctor.ts";
import { evalCommand } from "./eval.ts";
import { improveCommand } from "./improve.ts";
import { incidentsCommand } from "./incidents.ts";
import { initCommand } from "./init.ts";
import { listenForSignals } from "./invocation.ts";
import type { Invocation, Invoke } from "./invocation.ts";
import { logCommand } from "./log.ts";
import { mcpCommand } from "./mcp.ts";
import { logsCommand } from "./logs.ts";
import { modelCommand } from "./model.ts";
import { newCommand } from "./new.ts";
import { redteamCommand } from "./redteam.ts";
import { budgetCommand } from "./budget.ts";
import { pauseCommand, resumeCommand } from "./pause.ts";
import { pinCommand, unpinCommand } from "./pin.ts";
import { rejectCommand } from "./reject.ts";
import { reportCommand } from "./report.ts";
import { reloadCommand } from "./reload.ts";
import { retireCommand } from "./retire.ts";
import { rollbackCommand } from "./rollback.ts";
import { runCommand } from "./run.ts";
import { runsCommand } from "./runs.ts";
import { sandboxCommand } from "./sandbox.ts";
import { serviceCommand } from "./as-service.ts";
import { scheduleCommand } from "./schedule.ts";
import { skillsCommand } from "./skills.ts";
import { restartCommand, startCommand } from "./start.ts";
import { statusCommand } from "./status.ts";
import { stopCommand } from "./stop.ts";
import { submitCommand } from "./submit.ts";
import { taskCommand } from "./task.ts";
import { terminalOn } from "./terminal.ts";
import { verifyCommand } from "./verify.ts";
import { waitCommand } from "./wait.ts";
import { whyCommand } from "./why.ts";

const COMMANDS: readonly ((invoke: Invoke) => Command)[] = [
  initCommand,
  callCommand,
  reportCommand,
  submitCommand,
  taskCommand,
  cancelCommand,
  runCommand,
  startCommand,
  stopCommand,
  restartCommand,
  reloadCommand,
  waitCommand,
  logsCommand,
  improveCommand,
  newCommand,
  retireCommand,
  skillsCommand,
  statusCommand,
  dashboardCommand,
  runsCommand,
  incidentsCommand,
  logCommand,
  diffCommand,
  whyCommand,
  rollbackCommand,
  pinCommand,
  unpinCommand,
  approveCommand,
  rejectCommand,
  budgetCommand,
  scheduleCommand,
  pauseCommand,
  resumeCommand,
  verifyCommand,
  evalCommand,
  redteamCommand,
  demoCommand,
  sandboxCommand,
  modelCommand,
  mcpCommand,
  serviceCommand,
  doctorCommand,
  configCommand,
  completionCommand,
];

type GlobalOptions = {
  readonly json?: true;
  readonly quiet?: true;
  readonly color: boolean;
  readonly workspace?: string;
  readonly version?: true;
};

/** Parses the arguments and runs the command they name; resolves with its exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const invoke: Invoke = async (work) => {
    using signals = listenForSignals();
    exitCode = await work(invocationOf(program.opts<GlobalOptions>(), signals.signal));
  };
  const program = programFor(invoke);
  // Of all commands, itself left out.
  program.addCommand(
    completeCommand(invoke, () => programFor(invoke)),
    { hidden: true },
  );
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode !== 0) throw usageError(thrown, namedBy(args, program));
  }
  return exitCode;
}

function programFor(invoke: Invoke): Command {
  const program = new Command("hone")
    .description("Keeps an agent's skills sharp: verifiable rewards, proven patches, git releases.")
    .option("--json", "print one JSON object on stdout")
    .option("--workspace <dir>", "the workspace; default: the nearest folder with a hone.yaml")
    .option("-q, --quiet", "no progress on stderr")
    .option("--no-color", "no colours")
    .option("-V, --version", "print the version")
    .helpCommand(false)
    .allowExcessArguments()
    .action(() => invoke(async (invocation) => withoutCommand(program, invocation)));
  for (const command of COMMANDS) program.addCommand(command(invoke));
  program.addCommand(helpCommand(program));
  for (const command of [
    program,
    ...program.commands.flatMap((each) => [each, ...each.commands]),
  ]) {
    command.exitOverride().configureOutput({ outputError: () => undefined });
  }
  return program;
}

/** `hone help [command…]`: the same as `--help` behind the command. */
function helpCommand(program: Command): Command {
  return new Command("help")
    .description("how a command is used")
    .argument("[command...]", "its name; default: all of them")
    .action((names: readonly string[]) => {
      let command = program;
      for (const name of names) {
        const inner = command.commands.find((each) => each.name() === name);
        if (inner === undefined) throw unknownCommand(name, command);
        command = inner;
      }
      command.outputHelp();
    });
}

/** `hone` alone: its version where that was asked for, else how it is used. */
async function withoutCommand(program: Command, { terminal }: Invocation): Promise<number> {
  const [name] = program.args;
  if (name !== undefined) throw unknownCommand(name, program);
  if (program.opts<GlobalOptions>().version === true) {
    const node = process.versions.node;
    terminal.answerText({ version: packageJson.version, node }, packageJson.version);
    return 0;
  }
  if (terminal.isJson) throw new HoneError("usage", "A command is needed", { hint: HELP });
  program.outputHelp();
  return 0;
}

function unknownCommand(name: string, { commands }: Command): HoneError {
  const meant = nearest(
    name,
    commands.map((each) => each.name()),
  );
  return new HoneError("usage", `There is no command ${name}`, {
    hint: meant === null ? HELP : `Did you mean \`hone ${meant}\`?`,
  });
}

const HELP = "`hone --help` lists the commands.";

function invocationOf(options: GlobalOptions, signal: AbortSignal): Invocation {
  const isQuiet = options.quiet === true;
  return {
    terminal: terminalOn({
      isJson: options.json === true,
      isQuiet,
      hasColour: options.color,
      out: process.stdout,
      err: process.stderr,
    }),
    cwd: process.cwd(),
    env: process.env,
    workspace: options.workspace ?? process.env["HONE_WORKSPACE"],
    isQuiet,
    signal,
  };
}

/** The innermost command that the arguments name. */
function namedBy(args: readonly string[], program: Command): Command {
  return args.reduce(
    (command, arg) => command.commands.find((each) => each.name() === arg) ?? command,
    program,
  );
}

function usageError({ code, message }: CommanderError, command: Command): HoneError {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  const name = names.join(" ");
  const text =
    code === "commander.help"
      ? `\`${name}\` wants one of its commands`
      : message.replace(/^error: /, "").replaceAll("\n", " ");
  return new HoneError("usage", text, {
    hint: names.length > 1 ? `\`${name} --help\` shows how it is used.` : HELP,
  });
}
