import path from "node:path";
import { HoneError } from "../domain/errors.ts";
import type { Operations } from "../ports/operations.ts";
import type { Mount } from "../serve/http/mount.ts";
import { serve, type Serving } from "../serve/http/server.ts";
import type { TcpSettings } from "../serve/http/tcp-door.ts";
import { tokenIn } from "../serve/http/token.ts";
import type { OpenWorkspace } from "./compose.ts";

type DoorOptions = {
  /** From `socketPathOf`. */
  readonly socketPath: string;
  readonly onBug: (thrown: unknown) => void;
  /** What is served beside the API. */
  readonly mounts: readonly Mount[];
};

/**
 * Serves an open workspace at its Unix socket and, where one is configured, at a port of this
 * machine. A port or a token that cannot be had leaves the socket; the status says why.
 */
export async function openDoors(
  workspace: OpenWorkspace,
  { socketPath, onBug, mounts }: DoorOptions,
): Promise<Serving> {
  const doors = { origin: null as string | null, problem: "" };
  const tcp = await tcpSettingsOf(workspace).catch((thrown: unknown) => {
    if (!(thrown instanceof HoneError)) throw thrown;
    doors.problem = `${thrown.message}. ${thrown.hint}`;
    return null;
  });
  const serving = await serve({
    socketPath,
    tcp,
    operations: sayingDoors(workspace.operations, doors),
    events: workspace.events.since,
    answers: workspace.house.store,
    onBug,
    mounts,
    around: workspace.tracing?.request,
  });
  doors.origin = serving.origin;
  doors.problem ||= serving.problem;
  return serving;
}

async function tcpSettingsOf({
  dir,
  config: { http },
}: Pick<OpenWorkspace, "dir" | "config">): Promise<TcpSettings | null> {
  if (http.port === 0) return null;
  const { host, port } = http;
  return { host, port, token: await tokenIn(tokenFileOf(dir, http.tokenFile)) };
}

/** Where the token is: `http.tokenFile` in the workspace, or data/run/token. */
function tokenFileOf(dir: string, file: string): string {
  return path.resolve(dir, file === "" ? "data/run/token" : file);
}

/** The status, with where the API is reached beside its socket. */
function sayingDoors(
  operations: Operations,
  doors: { readonly origin: string | null; readonly problem: string },
): Operations {
  return {
    ...operations,
    async status() {
      const { problems, ...status } = await operations.status();
      const { origin, problem } = doors;
      const own = problem === "" ? [] : [`the API is at the Unix socket alone: ${problem}`];
      const all = [...(Array.isArray(problems) ? problems : []), ...own];
      return { ...status, problems: all, http: origin };
    },
  };
}
