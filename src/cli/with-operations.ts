import type { Config } from "../config.ts";
import type { Operations } from "../ports/operations.ts";
import { findWorkspace } from "../workspace-folder.ts";
import { unlessAborted } from "./invocation.ts";
import type { Invocation } from "./invocation.ts";

/** Who answers: the daemon through its socket, or this process on the workspace itself. */
export type Reach = { readonly operations: Operations; readonly through: "daemon" | "workspace" };

/**
 * Does something with the workspace's operations: through the daemon's socket when it is up, else
 * on the workspace directly, which is left again afterwards, also when a signal came.
 */
export async function withOperations<T>(
  invocation: Invocation,
  use: (reach: Reach) => Promise<T>,
): Promise<T> {
  const dir = findWorkspace(invocation.cwd, invocation.workspace);
  await using reach = await reachOf(dir, invocation);
  return await unlessAborted(use(reach), invocation.signal);
}

async function reachOf(dir: string, invocation: Invocation): Promise<Reach & AsyncDisposable> {
  const { connect } = await import("../serve/http/client.ts");
  const { socketPathOf } = await import("../serve/http/socket-path.ts");
  const client = await connect(socketPathOf(dir));
  if (client !== null) {
    return {
      operations: client,
      through: "daemon",
      [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
    };
  }
  const { loadConfig } = await import("../config-file.ts");
  const { config } = await loadConfig({ workspaceDir: dir, env: invocation.env });
  return await opened(dir, config, invocation);
}

/** The workspace, opened by this process; what keeps people's commits out of it is told. */
async function opened(
  dir: string,
  config: Config,
  { terminal }: Invocation,
): Promise<Reach & AsyncDisposable> {
  const { openWorkspace } = await import("../daemon/compose.ts");
  const { followProblems } = await import("../daemon/follow.ts");
  const workspace = await openWorkspace(dir, { config, exclusive: false });
  for (const problem of followProblems(workspace.house.store)) terminal.progress(problem);
  return {
    operations: workspace.operations,
    through: "workspace",
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}
