import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { HoneError } from "./domain/errors.ts";

/** The file that makes a folder a workspace. */
export const CONFIG_FILE = "hone.yaml";

/** The workspace's folder, without symbolic links: the one named or the nearest. Throws `not-found`. */
export function findWorkspace(from: string, named: string | undefined): string {
  if (named !== undefined) return namedWorkspace(path.resolve(from, named));
  const nearest = nearestWorkspace(from);
  if (nearest !== null) return nearest;
  throw new HoneError("not-found", `No workspace: there is no ${CONFIG_FILE} in ${from} or above`, {
    hint: "Make one with `hone init`, or name one with --workspace.",
  });
}

/** The nearest folder with a hone.yaml from `from` upwards, not beyond its git repository, or null. */
export function nearestWorkspace(from: string): string | null {
  let dir = path.resolve(from);
  for (;;) {
    if (existsSync(path.join(dir, CONFIG_FILE))) return realpathSync(dir);
    const parent = path.dirname(dir);
    if (parent === dir || existsSync(path.join(dir, ".git"))) return null;
    dir = parent;
  }
}

function namedWorkspace(dir: string): string {
  if (existsSync(path.join(dir, CONFIG_FILE))) return realpathSync(dir);
  throw new HoneError("not-found", `${dir} is no workspace: it has no ${CONFIG_FILE}`, {
    hint: `Make it one with \`hone init ${dir}\`.`,
  });
}
