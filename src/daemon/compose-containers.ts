import { createContainers } from "../adapters/docker/docker-sandbox.ts";
import type { Config } from "../config.ts";
import type { Containers } from "../ports/containers.ts";

/** Null where candidates are not to run in containers. */
export function containersFor(
  { docker: mode, sandbox }: Pick<Config, "docker" | "sandbox">,
  of: Pick<Parameters<typeof createContainers>[0], "owner" | "notes">,
): (Containers & AsyncDisposable) | null {
  return createContainers({ ...sandbox, ...of, mode, env: process.env, now: Date.now });
}
