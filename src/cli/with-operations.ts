import type { Config } from "../config.ts";
import type { Operations } from "../ports/operations.ts";
import type { Client } from "../serve/http/client.ts";
import { findWorkspace } from "../workspace-folder.ts";
import { unlessAborted } from "./invocation.ts";
import type { Invocation } from "./invocation.ts";
import { namedDaemon } from "./reach-daemon.ts";
import type { Terminal } from "./terminal.ts";

/** Who answers: the daemon, or this process on the workspace itself. */
export type Reach = { readonly operations: Operations; readonly through: "daemon" | "workspace" };

/**
 * Does something with the workspace's operations: through the daemon that HONE_HOST names, through
 * the workspace's own when it is up, else on the workspace directly, which is left again afterwards, also when a signal came. What keeps
 * people's commits out of the workspace is told, unless the command's answer shows it anyway.
 */
export async function withOperations<T>(
  invocation: Invocation,
  use: (reach: Reach) => Promise<T>,
  { showsProblems = false }: { readonly showsProblems?: boolean } = {},
): Promise<T> {
  await using reach = await reachOf(invocation, showsProblems ? null : invocation.terminal);
  return await unlessAborted(use(reach), invocation.signal);
}

/** The daemon where it answers, else the workspace, opened. Disposing leaves it. */
export async function reachOf(
  invocation: Invocation,
  listener: Listener,
): Promise<Reach & AsyncDisposable> {
  const daemon = await daemonOf(invocation);
  if (daemon !== null) return throughDaemon(daemon);
  const { cwd, workspace, env } = invocation;
  const dir = findWorkspace(cwd, workspace);
  const { loadConfig } = await import("../config-file.ts");
  const { config } = await loadConfig({ workspaceDir: dir, env });
  return await opened(dir, config, listener);
}

/** The daemon that HONE_HOST names, or the workspace's own when it is up; null: none is. */
export async function daemonOf(invocation: Invocation): Promise<Client | null> {
  const named = await namedDaemon(invocation);
  if (named !== null) return named;
  const { connect } = await import("../serve/http/client.ts");
  const { socketPathOf } = await import("../serve/http/socket-path.ts");
  return await connect(socketPathOf(findWorkspace(invocation.cwd, invocation.workspace)));
}

function throughDaemon(client: Client): Reach & AsyncDisposable {
  return {
    operations: client,
    through: "daemon",
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** Who is told of problems, if anybody. */
type Listener = Pick<Terminal, "progress"> | null;

/** The workspace, opened by this process. */
async function opened(
  dir: string,
  config: Config,
  listener: Listener,
): Promise<Reach & AsyncDisposable> {
  const { openWorkspace } = await import("../daemon/compose.ts");
  const { followProblems } = await import("../daemon/follow.ts");
  const workspace = await openWorkspace(dir, { config, exclusive: false });
  for (const problem of followProblems(workspace.house.store)) listener?.progress(problem);
  return {
    operations: workspace.operations,
    through: "workspace",
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}
