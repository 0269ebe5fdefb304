import path from "node:path";

/** hone's own command line. */
export const LAUNCHER = path.resolve(import.meta.dirname, "../../bin/hone");

/**
 * The environment of the demo's processes: where programs and temporary files lie, and nothing of a
 * person's settings, which the demo is not about.
 */
export function plainEnvironment(dir: string): Record<string, string> {
  const { PATH = "/usr/local/bin:/usr/bin:/bin", TMPDIR } = process.env;
  return {
    PATH,
    HOME: dir,
    XDG_CONFIG_HOME: path.join(dir, "data", "run", "config"),
    LC_ALL: "C",
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
  };
}
