import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { loadConfig } from "../config-file.ts";
import { HoneError } from "../domain/errors.ts";
import { LAUNCHER } from "../entries.ts";
import { socketPathOf } from "../serve/http/socket-path.ts";
import { serviceName, type Scope, type Service } from "./service-facts.ts";

export type Gathering = {
  readonly workspace: string;
  readonly scope: Scope;
  /** Null: by the workspace's folder. */
  readonly name: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/**
 * What a service of this workspace is to be told about this machine. Throws `bad-config` for settings
 * that are not valid, `not-found` where there is no git, `usage` for a path that no unit can name.
 */
export async function gatherService(of: Gathering): Promise<Service> {
  const { workspace, scope, env } = of;
  const { config } = await loadConfig({ workspaceDir: workspace, env });
  const git = await programIn(env["PATH"] ?? "", "git");
  const alsoWritten = await foldersWritten(workspace, git);
  const programs = [path.dirname(process.execPath), path.dirname(git)];
  const { gguf, serve } = config.model;
  const socket = socketPathOf(workspace);
  const places = [workspace, LAUNCHER, socket, ...programs, ...alsoWritten];
  const inside = (outer: readonly string[]): boolean =>
    places.some((place) => outer.some((one) => isWithin(place, one)));
  const service: Service = {
    scope,
    name: of.name ?? serviceName(workspace),
    workspace,
    launcher: LAUNCHER,
    path: [...new Set([...programs, "/usr/local/bin", "/usr/bin", "/bin"])].join(":"),
    user: ownerOf(workspace),
    alsoWritten,
    isInHome: inside(HOMES),
    isInTmp: inside(TMPS),
    canWall: mayMakeNamespaces(),
    holdsModel: gguf !== "" || serve.automatic,
  };
  refuseUnnameable(service);
  return service;
}

/** The full path of a program. */
async function programIn(searched: string, name: string): Promise<string> {
  for (const folder of searched.split(":").filter((each) => path.isAbsolute(each))) {
    const file = path.join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  throw new HoneError("not-found", `There is no ${name} on the PATH`, {
    hint: "`hone doctor` checks what hone needs.",
  });
}

/**
 * Beside the workspace, where a release is written: the repository, where it lies elsewhere, and
 * every work tree, since a person's branch may be there.
 */
async function foldersWritten(workspace: string, git: string): Promise<readonly string[]> {
  const common = await lines(git, workspace, [
    "rev-parse",
    "--path-format=absolute",
    "--git-common-dir",
  ]);
  const trees = await lines(git, workspace, ["worktree", "list", "--porcelain"]);
  const folders = [
    ...common,
    ...trees.flatMap((line) => (line.startsWith("worktree ") ? [line.slice(9)] : [])),
  ];
  const outside = folders.filter((folder) => !isWithin(folder, workspace));
  // The work tree above has its .git inside.
  return outside.filter((one) => !outside.some((other) => other !== one && isWithin(one, other)));
}

/** Where there is no repository there is none to write to. */
async function lines(
  git: string,
  cwd: string,
  args: readonly string[],
): Promise<readonly string[]> {
  const options = { cwd, timeout: 10_000, env: { LC_ALL: "C" } };
  const said = await promisify(execFile)(git, args, options).catch(() => ({ stdout: "" }));
  return said.stdout.split("\n").filter((line) => line !== "");
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

const HOMES = ["/home", "/root", "/run/user", os.homedir()];
const TMPS = ["/tmp", "/var/tmp"];

function ownerOf(dir: string): string {
  const { uid } = statSync(dir);
  const passwd = textIn("/etc/passwd") ?? "";
  const line = passwd.split("\n").find((each) => each.split(":")[2] === String(uid));
  return line?.split(":")[0] ?? String(uid);
}

/** Whether the kernel lets a process without rights make a user namespace: user_namespaces(7). */
function mayMakeNamespaces(): boolean {
  const isOff = (file: string, off: string): boolean => textIn(file)?.trim() === off;
  return !(
    isOff("/proc/sys/user/max_user_namespaces", "0") ||
    isOff("/proc/sys/kernel/unprivileged_userns_clone", "0") ||
    isOff("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1")
  );
}

function textIn(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function refuseUnnameable({ workspace, launcher, path: searched, alsoWritten }: Service): void {
  const unfit = [workspace, launcher, searched, ...alsoWritten].find((each) =>
    /\p{Cc}/u.test(each),
  );
  if (unfit === undefined) return;
  throw new HoneError("usage", `A unit cannot name ${JSON.stringify(unfit)}`, {
    hint: "There is a control character in it: rename the folder.",
  });
}
