import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { HoneError, messageOf } from "../domain/errors.ts";
import { labelOf, launchdPlist } from "./launchd-plist.ts";
import type { Scope, Service } from "./service-facts.ts";
import { systemdUnit } from "./systemd-unit.ts";

/** What the manager says of a service. */
export type ManagerState = {
  readonly isActive: boolean;
  /** It comes back at the next login or start of the machine. */
  readonly isEnabled: boolean;
  /** In the manager's own word. */
  readonly state: string;
};

/** A service manager: where its files lie, what stands in them, and the few things it is asked for. */
export type Manager = {
  readonly kind: "systemd" | "launchd";
  readonly text: (service: Service) => string;
  readonly comment: readonly [before: string, after: string];
  readonly fileOf: (name: string) => string;
  /** Whether it runs here and can be asked; where it cannot, files are written all the same. */
  readonly isHere: boolean;
  /** Commands for a person, by what they do. */
  readonly commands: (name: string) => { readonly start: string; readonly edit: string };
  readonly start: (name: string, isChanged: boolean) => Promise<void>;
  readonly stop: (name: string) => Promise<void>;
  /** After a file has gone. */
  readonly forget: () => Promise<void>;
  readonly state: (name: string) => Promise<ManagerState>;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The service manager of this machine. Throws `usage` where hone knows none. */
export function managerFor(scope: Scope, env: Environment): Manager {
  if (process.platform === "darwin") return launchd(scope, env);
  if (process.platform === "linux") return systemd(scope, env);
  throw new HoneError("usage", `There is no service for ${process.platform}`, {
    hint: "systemd and launchd are known; `hone start` runs the daemon without a manager.",
  });
}

function systemd(scope: Scope, env: Environment): Manager {
  const own = env["XDG_CONFIG_HOME"] || path.join(env["HOME"] || os.homedir(), ".config");
  const folder = scope === "user" ? path.join(own, "systemd", "user") : "/etc/systemd/system";
  const flags = scope === "user" ? ["--user"] : [];
  const running =
    scope === "user" ? `${env["XDG_RUNTIME_DIR"] ?? ""}/systemd/private` : "/run/systemd/system";
  const systemctl = (...args: readonly string[]): Promise<string> =>
    printed("systemctl", [...flags, ...args], env);
  const unit = (name: string): string => `${name}.service`;
  const shown = ["systemctl", ...flags].join(" ");
  return {
    kind: "systemd",
    text: systemdUnit,
    comment: ["# ", ""],
    fileOf: (name) => path.join(folder, unit(name)),
    isHere: existsSync(running),
    commands: (name) => ({
      start: `${shown} daemon-reload && ${shown} enable --now ${unit(name)}`,
      edit: `${shown} edit ${unit(name)}`,
    }),
    async start(name, isChanged) {
      await systemctl("daemon-reload");
      if (isChanged) await systemctl("try-restart", unit(name));
      await systemctl("enable", "--now", unit(name));
    },
    stop: async (name) => void (await systemctl("disable", "--now", unit(name))),
    forget: async () => void (await systemctl("daemon-reload")),
    async state(name) {
      const active = await systemctl("is-active", unit(name)).catch(lastWord);
      const enabled = await systemctl("is-enabled", unit(name)).catch(lastWord);
      const isActive = ["active", "activating", "reloading"].includes(active);
      return { isActive, isEnabled: enabled === "enabled", state: active };
    },
  };
}

function launchd(scope: Scope, env: Environment): Manager {
  const own = path.join(env["HOME"] || os.homedir(), "Library", "LaunchAgents");
  const folder = scope === "user" ? own : "/Library/LaunchDaemons";
  const domain = scope === "user" ? `gui/${process.getuid?.() ?? 0}` : "system";
  const launchctl = (...args: readonly string[]): Promise<string> =>
    printed("launchctl", args, env);
  const fileOf = (name: string): string => path.join(folder, `${labelOf(name)}.plist`);
  const target = (name: string): string => `${domain}/${labelOf(name)}`;
  const isLoaded = async (name: string): Promise<boolean> =>
    await launchctl("print", target(name)).then(
      () => true,
      () => false,
    );
  return {
    kind: "launchd",
    text: launchdPlist,
    comment: ["<!-- ", " -->"],
    fileOf,
    isHere: true,
    commands: (name) => ({
      start: `launchctl bootstrap ${domain} ${fileOf(name)}`,
      edit: `another --name for a property list of your own`,
    }),
    async start(name, isChanged) {
      if ((await isLoaded(name)) && isChanged) await launchctl("bootout", target(name));
      if (!(await isLoaded(name))) await launchctl("bootstrap", domain, fileOf(name));
    },
    stop: async (name) => void (await launchctl("bootout", target(name))),
    forget: async () => undefined,
    async state(name) {
      const isActive = await isLoaded(name);
      return { isActive, isEnabled: isActive, state: isActive ? "loaded" : "not loaded" };
    },
  };
}

const LIMIT_MS = 120_000;

/** What a manager's command prints. Throws `sandbox-unavailable` with its complaint. */
async function printed(
  program: string,
  args: readonly string[],
  env: Environment,
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { timeout: LIMIT_MS, env });
    return stdout.trim();
  } catch (cause) {
    const said = cause as { readonly stdout?: string; readonly stderr?: string };
    const words = said.stderr?.trim() || said.stdout?.trim() || messageOf(cause);
    throw new HoneError("sandbox-unavailable", `${program} ${args.join(" ")}: ${words}`, { cause });
  }
}

/** `is-active` answers by its exit code, and prints its word all the same. */
function lastWord(thrown: unknown): string {
  const { cause } = thrown as { readonly cause?: { readonly stdout?: string } };
  return cause?.stdout?.trim() || "unknown";
}
