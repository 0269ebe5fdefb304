import { createRequire } from "node:module";
import path from "node:path";
import { HoneError, messageOf } from "../../domain/errors.ts";

/** Loads a module or resolves its place: `require`, or a stand-in for it. */
type Require = Pick<NodeJS.Require, "resolve"> & ((name: string) => unknown);

/**
 * Checks, before anything needs them, that the two native modules fit this Node: better-sqlite3 is
 * loaded, isolated-vm only looked for (it belongs into guests). Null when all is well, else one
 * line with the remedy. This file imports neither, so that it can be asked first.
 */
export function checkNativeModules(load: Require = createRequire(import.meta.url)): string | null {
  try {
    const Database = load("better-sqlite3") as new (file: string) => { close(): void };
    new Database(":memory:").close();
  } catch (error) {
    return remedyFor("better-sqlite3", error);
  }
  try {
    const folder = path.dirname(load.resolve("isolated-vm/package.json"));
    const find = load("node-gyp-build") as { path(folder: string): string };
    find.path(folder);
  } catch (error) {
    return remedyFor("isolated-vm", error);
  }
  return null;
}

/** The same, as an error: throws `store-failed`. */
export function requireNativeModules(): void {
  const unfit = checkNativeModules();
  if (unfit !== null) throw new HoneError("store-failed", unfit);
}

function remedyFor(name: string, error: unknown): string {
  const [reason = ""] = messageOf(error).split("\n");
  return (
    `The native module ${name} does not load under Node ${process.version} ` +
    `(${process.platform}-${process.arch}): ${reason} ` +
    `Remedy: run \`npm ci\` in hone's folder with Node 24, and start hone with that Node.`
  );
}
