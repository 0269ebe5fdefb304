import { createContainers } from "../adapters/docker/docker-sandbox.ts";
import type { Config } from "../config.ts";
import type { Containers } from "../ports/containers.ts";

/** Null where candidates are not to run in containers. Whoever is brief starts none ahead. */
export function containersFor(
  { docker: mode, sandbox }: Pick<Config, "docker" | "sandbox">,
  of: Pick<Parameters<typeof createContainers>[0], "owner" | "notes"> & {
    readonly isBrief?: boolean;
  },
): (Containers & AsyncDisposable) | null {
  const warm = of.isBrief === true ? 0 : sandbox.warm;
  return createContainers({ ...sandbox, ...of, warm, mode, env: process.env, now: Date.now });
}
