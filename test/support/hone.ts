import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { LAUNCHER } from "../../src/entries.ts";

export type Ended = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs the command line to its end, away from this machine's own settings. */
export async function hone(
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env?: Record<string, string>;
    readonly input?: string;
    readonly onSpawn?: (child: ChildProcess) => void;
    /** Of another installation. */
    readonly launcher?: string;
  },
): Promise<Ended> {
  const child = spawn(options.launcher ?? LAUNCHER, args, {
    cwd: options.cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: options.cwd,
      XDG_CONFIG_HOME: path.join(options.cwd, "no-such-folder"),
      // Containers have tests of their own.
      HONE_DOCKER: "off",
      // Tests run side by side; the port has tests of its own.
      HONE_HTTP_PORT: "0",
      ...options.env,
    },
  });
  options.onSpawn?.(child);
  child.stdin.end(options.input ?? "");
  const { promise: closed, resolve } = Promise.withResolvers<number | null>();
  child.once("close", (code) => resolve(code));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, stdout, stderr };
}

/** An empty folder that is removed after the test. */
export async function aFolder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), "hone-test-"));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
