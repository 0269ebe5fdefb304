import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { boundary } from "../domain/errors.ts";

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
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    LC_ALL: "C",
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
  };
}

/** Runs a program in a folder to its end; what it prints. Throws `git-failed` with its complaint. */
export async function outputOf(
  program: string,
  args: readonly string[],
  dir: string,
): Promise<string> {
  const hint = "`hone doctor` checks what hone needs.";
  const options = { cwd: dir, env: plainEnvironment(dir), timeout: 60_000 };
  return await boundary({ code: "git-failed", retryable: false, hint }, program, async () => {
    const { stdout } = await promisify(execFile)(program, args, options);
    return stdout.trim();
  });
}
