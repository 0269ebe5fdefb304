import { Command, InvalidArgumentError, Option } from "commander";
import type { Installed } from "../service/install.ts";
import type { Manager } from "../service/service-manager.ts";
import type { Scope, Service } from "../service/service-facts.ts";
import { findWorkspace } from "../workspace-folder.ts";
import type { Invocation, Invoke } from "./invocation.ts";

type Chosen = {
  readonly user?: true;
  readonly system?: true;
  readonly name?: string;
};

type Place = { readonly service: Service; readonly manager: Manager };

/** `hone service install`, `uninstall`, `status`: the daemon under systemd or launchd. */
export function serviceCommand(invoke: Invoke): Command {
  const service = new Command("service").description(
    "keep the daemon running, by systemd or launchd",
  );
  for (const command of [installCommand(invoke), uninstallCommand(invoke), stateCommand(invoke)])
    service.addCommand(command);
  return service;
}

function installCommand(invoke: Invoke): Command {
  return withScope(new Command("install"))
    .description("write the unit of this workspace's daemon, and start it now and always")
    .option("--dry-run", "print the unit, and do nothing")
    .option("--no-start", "write the unit only")
    .action((options: Chosen & { readonly dryRun?: true; readonly start: boolean }) =>
      invoke(async (invocation) => {
        const { fileText, installService } = await import("../service/install.ts");
        const { service, manager } = await placeOf(options, invocation);
        if (options.dryRun === true) {
          const [file, text] = [manager.fileOf(service.name), fileText(service, manager)];
          invocation.terminal.answerText({ name: service.name, file, text }, text.trimEnd());
          return 0;
        }
        const done = await installService(service, manager, { isStarted: options.start });
        invocation.terminal.answer({ ...done });
        for (const line of advice(done, { service, manager })) invocation.terminal.progress(line);
        return 0;
      }),
    );
}

/** What is left for a person to do. */
function advice({ name, isStarted }: Installed, { service, manager }: Place): readonly string[] {
  const isUser = manager.kind === "systemd" && service.scope === "user";
  return [
    ...(isStarted ? [] : [`start it: ${manager.commands(name).start}`]),
    ...(isUser
      ? ["it ends when you log out, unless you linger: `loginctl enable-linger` keeps it running"]
      : []),
    ...(service.scope === "system" && service.user === "root"
      ? ["it runs as root, who owns the workspace: give that to a user of its own"]
      : []),
    ...(isUser && !service.canWall
      ? ["this kernel gives users no namespaces, so the unit has no walls around the file system"]
      : []),
  ];
}

function uninstallCommand(invoke: Invoke): Command {
  return withScope(new Command("uninstall"))
    .description("end the service and take its unit away")
    .action((options: Chosen) =>
      invoke(async (invocation) => {
        const { uninstallService } = await import("../service/install.ts");
        const { service, manager } = await placeOf(options, invocation);
        const isRemoved = await uninstallService(service, manager);
        const file = manager.fileOf(service.name);
        invocation.terminal.answer({ name: service.name, file, removed: isRemoved });
        return 0;
      }),
    );
}

function stateCommand(invoke: Invoke): Command {
  return withScope(new Command("status"))
    .description("how the service is; exits 3 when it does not run")
    .action((options: Chosen) =>
      invoke(async (invocation) => {
        const { serviceState } = await import("../service/install.ts");
        const { service, manager } = await placeOf(options, invocation);
        const state = await serviceState(service, manager);
        invocation.terminal.answer({ ...state });
        return state.manager?.isActive === true ? 0 : 3;
      }),
    );
}

function withScope(command: Command): Command {
  return command
    .addOption(new Option("--user", "as a service of yours (the default)").conflicts("system"))
    .option("--system", "as a service of the machine, run as the workspace's owner")
    .option("--name <name>", "the service's name; default: hone-<the workspace's folder>", nameOf);
}

/** What systemd takes as a name; `@` would make it a template. */
function nameOf(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/.test(text)) return text;
  throw new InvalidArgumentError("It must have letters, digits, `_`, `.` and `-` only.");
}

async function placeOf(
  { system, name }: Chosen,
  { cwd, workspace, env }: Invocation,
): Promise<Place> {
  const { gatherService } = await import("../service/gather.ts");
  const { managerFor } = await import("../service/service-manager.ts");
  const scope: Scope = system === true ? "system" : "user";
  const dir = findWorkspace(cwd, workspace);
  const service = await gatherService({ workspace: dir, scope, name: name ?? null, env });
  return { service, manager: managerFor(scope, env) };
}
