import type { Config } from "../config.ts";
import type { JsonObject } from "../domain/json.ts";
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

/**
 * The workspace, opened by this process. Without a daemon nobody follows people's branch, so that a
 * command takes in what they committed before its work, and brings to them what came of it after.
 */
async function opened(
  dir: string,
  config: Config,
  { terminal, signal }: Invocation,
): Promise<Reach & AsyncDisposable> {
  const { openWorkspace } = await import("../daemon/compose.ts");
  const { follow } = await import("../daemon/follow.ts");
  await using stack = new AsyncDisposableStack();
  const workspace = stack.use(await openWorkspace(dir, { config, exclusive: false }));
  workspace.events.onEvent(({ kind, detail }) => {
    if (kind === "commit.refused") terminal.progress(refusalOf(detail));
  });
  await follow(workspace);
  const owned = stack.move();
  return {
    operations: workspace.operations,
    through: "workspace",
    async [Symbol.asyncDispose]() {
      if (!signal.aborted) await follow(workspace);
      await owned.disposeAsync();
    },
  };
}

function refusalOf({ commit, problems }: JsonObject): string {
  const said = Array.isArray(problems) ? problems.join("; ") : "";
  const name = typeof commit === "string" ? commit.slice(0, 10) : "";
  return `commit ${name} is not taken in: ${said}`;
}
