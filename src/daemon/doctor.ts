import { execFile } from "node:child_process";
import { statfs } from "node:fs/promises";
import { promisify } from "node:util";
import type { LoadedConfig } from "../config-file.ts";
import { HoneError, messageOf } from "../domain/errors.ts";
import type { ModelCard } from "../domain/model-card.ts";
import { connect } from "../serve/http/client.ts";
import { socketPathOf } from "../serve/http/socket-path.ts";
import { shownSettings, type ShownSetting } from "../shown-settings.ts";
import { safeModeOf } from "./life/life.ts";
import { safeModeProblems } from "./life/safe-mode.ts";
import { loadValid } from "./life/valid-settings.ts";

/** One thing hone needs. `note` is worth knowing, but nothing fails by it. */
type Check = {
  readonly check: string;
  readonly status: "ok" | "note" | "failed";
  readonly found: string;
  readonly hint: string;
};

export type Health = {
  readonly ok: boolean;
  readonly checks: readonly Check[];
  /** What a probe of the configured model found; null where there is none or it is not reached. */
  readonly model: ModelCard | null;
  /** Empty where the configuration is not valid. */
  readonly settings: readonly ShownSetting[];
};

export type HealthOptions = {
  /** Null: only the machine is examined. */
  readonly workspaceDir: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
};

type Finding = Omit<Check, "check">;

/** Checks the machine and the workspace. Nothing is changed; what is wrong is an answer. */
export async function checkHealth(options: HealthOptions): Promise<Health> {
  const { workspaceDir, signal } = options;
  const checks: Check[] = [
    { check: "node", ...nodeVersion() },
    { check: "git", ...(await gitVersion(signal)) },
    { check: "git identity", ...(await gitIdentity(options)) },
    { check: "ledger", ...(await loads("better-sqlite3", signal)) },
    { check: "isolates", ...(await loads("isolated-vm", signal)) },
  ];
  const { finding, loaded } = await configuration(options);
  checks.push({ check: "configuration", ...finding });
  let model: ModelCard | null = null;
  if (loaded !== null) {
    checks.push({ check: "containers", ...(await containers(loaded)) });
    const examined = await theModel(loaded, options);
    checks.push(...examined.findings.map((one) => ({ check: "model", ...one })));
    model = examined.card;
  }
  if (workspaceDir !== null) {
    checks.push({ check: "disk", ...(await freeSpace(workspaceDir)) });
    checks.push({ check: "daemon", ...(await daemonState(workspaceDir)) });
    if (loaded !== null) checks.push({ check: "crashes", ...crashes(workspaceDir, loaded) });
  }
  const ok = checks.every(({ status }) => status !== "failed");
  return { ok, checks, model, settings: loaded === null ? [] : shownSettings(loaded) };
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isFit = major > 24 || (major === 24 && minor >= 12);
  return isFit
    ? ok(process.versions.node)
    : failed(process.versions.node, "Node 24.12 or newer is needed: `npx -y -p node@24 npm ci`.");
}

async function gitVersion(signal: AbortSignal): Promise<Finding> {
  const found = await printed("git", ["--version"], signal);
  if (found.status === "failed") return failed(found.text, "Install git 2.30 or newer.");
  const [major = 0, minor = 0] = (/\d+\.\d+/.exec(found.text)?.[0] ?? "0.0").split(".").map(Number);
  const isFit = major > 2 || (major === 2 && minor >= 30);
  return isFit ? ok(found.text) : failed(found.text, "Git 2.30 or newer is needed.");
}

/** Only people need one, for their own commits: hone's carry its own name. */
async function gitIdentity({ workspaceDir, env, signal }: HealthOptions): Promise<Finding> {
  const missing: string[] = [];
  for (const name of ["name", "email"]) {
    if (env[`GIT_AUTHOR_${name.toUpperCase()}`]) continue;
    const cwd = workspaceDir ?? process.cwd();
    const found = await printed("git", ["config", `user.${name}`], signal, cwd);
    if (found.status === "failed" || found.text === "") missing.push(`user.${name}`);
  }
  return missing.length === 0
    ? ok("user.name and user.email are set")
    : note(
        `git has no ${missing.join(" and no ")}`,
        "Your commits need it: `git config --global`.",
      );
}

/** Loads a native package in a process of its own: one built for another Node ends its process. */
async function loads(name: string, signal: AbortSignal): Promise<Finding> {
  const script = `import(${JSON.stringify(name)}).then(() => console.log("${name} loads"))`;
  const args = ["--no-node-snapshot", "-e", script];
  const found = await printed(process.execPath, args, signal);
  return found.status === "ok" ? ok(found.text) : failed(found.text, "Run `npm ci` again.");
}

async function configuration({
  workspaceDir,
  env,
}: HealthOptions): Promise<{ readonly finding: Finding; readonly loaded: LoadedConfig | null }> {
  try {
    const loaded = await loadValid({ workspaceDir, env });
    return { finding: ok(workspaceDir ?? "no workspace here"), loaded };
  } catch (thrown) {
    if (!(thrown instanceof HoneError)) throw thrown;
    return { finding: failed(thrown.message, "Correct what it names."), loaded: null };
  }
}

/** Before 1.1.12 there are known ways out of a container; distributions may have closed them. */
const SAFE_RUNC = [1, 1, 12];

async function containers({ config }: LoadedConfig): Promise<Finding> {
  const { containersFor } = await import("./compose-containers.ts");
  const notes = { note: () => null, setNote: () => undefined };
  await using found = containersFor(config, { owner: "", notes });
  if (found === null) return note("off", "Releases are verified in isolates alone.");
  const state = await found.state();
  if (state.status === "unavailable") {
    return config.docker === "required"
      ? failed(state.reason, "Start the engine: nothing is released without it.")
      : note(state.reason, "Releases are verified in isolates alone until there is an engine.");
  }
  const { engine, runc } = state;
  const parts = runc.split(/\D/).map(Number);
  const at = SAFE_RUNC.findIndex((least, index) => parts[index] !== least);
  const isOld = runc !== "" && at >= 0 && (parts[at] ?? 0) < (SAFE_RUNC[at] ?? 0);
  return isOld
    ? note(
        `${engine}, runc ${runc}`,
        "runc before 1.1.12 lets programs out (CVE-2024-21626), unless your distribution has mended it.",
      )
    : ok(engine);
}

async function theModel(
  { config }: LoadedConfig,
  { workspaceDir: dir, env, signal }: HealthOptions,
): Promise<{ readonly card: ModelCard | null; readonly findings: readonly Finding[] }> {
  const { examineModel } = await import("./model/doctor-model.ts");
  return await examineModel(config, { dir, env, signal });
}

const LOW_BYTES = 256 * 1024 * 1024;

async function freeSpace(dir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dir);
  const free = bavail * bsize;
  const found = `${Math.round(free / 1024 / 1024)} MB free`;
  return free < LOW_BYTES ? failed(found, "Make room: the ledger and git need it.") : ok(found);
}

async function daemonState(dir: string): Promise<Finding> {
  try {
    const client = await connect(socketPathOf(dir));
    if (client === null) return note("not running", "Start it with `hone start`.");
    await client[Symbol.asyncDispose]();
    return ok("up");
  } catch (thrown) {
    if (!(thrown instanceof HoneError)) throw thrown;
    return failed(thrown.message, thrown.hint);
  }
}

function crashes(dir: string, { config }: LoadedConfig): Finding {
  const [problem] = safeModeProblems(safeModeOf(dir, config));
  return problem === undefined
    ? ok("no safe mode")
    : failed(problem, "`hone logs` shows what crashed; docs/service.md says what to do.");
}

const LIMIT_MS = 10_000;

async function printed(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
  cwd = import.meta.dirname,
): Promise<{ readonly status: "ok" | "failed"; readonly text: string }> {
  try {
    const { stdout } = await promisify(execFile)(command, args, {
      timeout: LIMIT_MS,
      signal,
      cwd,
    });
    return { status: "ok", text: stdout.trim() };
  } catch (thrown) {
    signal.throwIfAborted();
    return { status: "failed", text: reasonIn(messageOf(thrown)) };
  }
}

/** The error that ended a process: what it wrote, without the code around and the stack below. */
function reasonIn(message: string): string {
  const [reason] = /^\w*Error\b[^]*?(?=\n\s+at |\n\n|$(?![^]))/m.exec(message) ?? [message];
  return reason.trim();
}

function ok(found: string): Finding {
  return { status: "ok", found, hint: "" };
}

function note(found: string, hint: string): Finding {
  return { status: "note", found, hint };
}

function failed(found: string, hint: string): Finding {
  return { status: "failed", found, hint };
}
