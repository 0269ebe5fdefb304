import path from "node:path";
import { HoneError, boundary } from "../domain/errors.ts";
import type { Client } from "../serve/http/client.ts";
import { findWorkspace } from "../workspace-folder.ts";
import type { Invocation } from "./invocation.ts";

type Where = Pick<Invocation, "cwd" | "env" | "workspace">;

/**
 * The daemon that HONE_HOST names; null where it names none. The token for its port is HONE_TOKEN, else
 * in the file HONE_TOKEN_FILE, else in the workspace's. Throws `daemon-unreachable`.
 */
export async function namedDaemon(where: Where): Promise<Client | null> {
  const named = where.env["HONE_HOST"] ?? "";
  if (named === "") return null;
  const { addressOf } = await import("../serve/http/address.ts");
  const { connectTo } = await import("../serve/http/client.ts");
  const address = addressOf(named);
  const client = await connectTo(address, address.kind === "unix" ? "" : await tokenFor(where));
  if (client !== null) return client;
  throw new HoneError("daemon-unreachable", `No daemon answers at HONE_HOST, ${named}`, {
    hint: "Start it with `hone start`, or unset HONE_HOST.",
  });
}

/** The daemon of the workspace, or the one that HONE_HOST names. Throws `daemon-unreachable`. */
export async function requiredDaemon(where: Where): Promise<Client> {
  const named = await namedDaemon(where);
  if (named !== null) return named;
  const { connect } = await import("../serve/http/client.ts");
  const { socketPathOf } = await import("../serve/http/socket-path.ts");
  const client = await connect(socketPathOf(findWorkspace(where.cwd, where.workspace)));
  if (client !== null) return client;
  throw new HoneError("daemon-unreachable", "No daemon of this workspace is up", {
    hint: "Start it with `hone start`.",
  });
}

async function tokenFor({ cwd, env, workspace }: Where): Promise<string> {
  const given = env["HONE_TOKEN"] ?? "";
  if (given !== "") return given;
  const file = env["HONE_TOKEN_FILE"] || (await workspaceTokenFile({ cwd, env, workspace }));
  const { tokenFrom } = await import("../serve/http/token.ts");
  const hint = "Set HONE_TOKEN, or HONE_TOKEN_FILE to the daemon's data/run/token.";
  const border = { code: "unauthorized", retryable: false, hint } as const;
  return await boundary(border, `Reading the token in ${file}`, async () => await tokenFrom(file));
}

async function workspaceTokenFile({ cwd, env, workspace }: Where): Promise<string> {
  const dir = findWorkspace(cwd, workspace);
  const { loadConfig } = await import("../config-file.ts");
  const { config } = await loadConfig({ workspaceDir: dir, env });
  return path.resolve(dir, config.http.tokenFile || "data/run/token");
}
