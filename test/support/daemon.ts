import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { connect, type Client } from "../../src/serve/http/client.ts";
import { childrenOf } from "./child-processes.ts";

const MAIN = path.resolve(import.meta.dirname, "../../src/main.ts");

/** `hone run` on a workspace, as a process of its own; killed when disposed. */
export class DaemonProcess implements AsyncDisposable {
  readonly pid: number;
  readonly client: Client;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcess, ended: Promise<unknown>, pid: number, client: Client) {
    this.#child = child;
    this.#ended = ended;
    this.pid = pid;
    this.client = client;
  }

  /** Resolves when the daemon answers. Rejects with what it said where it ended instead. */
  static async start(
    dir: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<DaemonProcess> {
    const args = ["--disable-warning=ExperimentalWarning", MAIN, "run", "--json"];
    const child = spawn(process.execPath, args, {
      cwd: dir,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: dir,
        XDG_CONFIG_HOME: path.join(dir, "none"),
        HONE_DOCKER: "off",
        // Tests run side by side; the port has tests of its own.
        HONE_HTTP_PORT: "0",
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(child, "close");
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    const lines = createInterface(child.stdout);
    const first = await Promise.race([once(lines, "line"), ended.then(() => null)]);
    if (first === null) throw new Error(`the daemon ended: ${said}`);
    const { socketPath, pid } = JSON.parse(String(first[0])) as { socketPath: string; pid: number };
    const client = await connect(socketPath);
    if (client === null) throw new Error(`nobody answers at ${socketPath}: ${said}`);
    return new DaemonProcess(child, ended, pid, client);
  }

  /** Ends it as a power cut does; returns the processes that it had begun. */
  async kill(): Promise<readonly number[]> {
    process.kill(this.pid, "SIGSTOP");
    const begun = descendantsOf(this.pid);
    process.kill(this.pid, "SIGKILL");
    await this.#ended;
    await this.client[Symbol.asyncDispose]();
    return begun;
  }

  /** Resolves when it has ended, however. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }

  /** Null while it lives, and where a signal ended it. */
  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /** Asks it to end; its exit code. */
  async stop(signal: "SIGTERM" | "SIGINT" = "SIGTERM"): Promise<number | null> {
    this.#child.kill(signal);
    await this.#ended;
    await this.client[Symbol.asyncDispose]();
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
    await this.client[Symbol.asyncDispose]();
  }
}

export function descendantsOf(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Those of the processes that still are there after a while, as `pid: command line`. */
export async function survivors(
  pids: readonly number[],
  patienceMs: number,
): Promise<readonly string[]> {
  const endsAt = Date.now() + patienceMs;
  for (;;) {
    const left = pids.filter(isAlive);
    if (left.length === 0 || Date.now() > endsAt) return left.map(described);
    await pause(20);
  }
}

function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2)[0] !== "Z";
  } catch {
    return false;
  }
}

function described(pid: number): string {
  const line = readdirSync("/proc").includes(String(pid))
    ? readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
    : "gone";
  return `${pid}: ${line}`;
}
