import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect as dial } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { connect, type Client } from "../../src/serve/http/client.ts";
import { socketPathOf } from "../../src/serve/http/socket-path.ts";

export const LAUNCHER = path.resolve(import.meta.dirname, "../../bin/hone");

const PAGE_BYTES = 4_096;
/** USER_HZ: the unit of CPU times in /proc. */
const TICKS_PER_SECOND = 100;

type Files = Readonly<Record<string, string>>;

/** A workspace that is made for a measurement and removed after it, with a person who commits. */
export class ThrowAway implements Disposable {
  readonly dir: string;
  readonly #isKept: boolean;

  /** `settings` is text of hone.yaml; a workspace in a folder that is named is used again, and kept. */
  constructor(files: Files, settings = "", dir?: string) {
    this.dir = dir ?? mkdtempSync(path.join(os.tmpdir(), "hone-bench-"));
    this.#isKept = dir !== undefined;
    if (dir !== undefined && existsSync(path.join(dir, "hone.yaml"))) return;
    execFileSync(LAUNCHER, ["init", "--empty", this.dir], { stdio: "ignore" });
    const known = readFileSync(path.join(this.dir, "hone.yaml"), "utf8");
    writeFileSync(path.join(this.dir, "hone.yaml"), `${known}\n${settings}`);
    this.#write(files);
    this.git("add", "--all");
    this.git("commit", "--quiet", "-m", "the files as they were given");
    this.git("update-ref", "refs/heads/hone", "HEAD");
  }

  /** The person changes files that are known and commits them; the id of the commit. */
  commit(files: Files): string {
    this.#write(files);
    this.git("commit", "--quiet", "--all", "--allow-empty", "-m", "a person's work");
    return this.refOf("main");
  }

  /** Where a branch stands; "" where it has no file of its own. */
  refOf(branch: string): string {
    const file = path.join(this.dir, ".git/refs/heads", branch);
    return existsSync(file) ? readFileSync(file, "latin1").trim() : "";
  }

  git(...args: readonly string[]): string {
    const person = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "gc.auto=0"];
    return execFileSync("git", [...person, ...args], { cwd: this.dir, encoding: "utf8" }).trim();
  }

  #write(files: Files): void {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(this.dir, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }

  [Symbol.dispose](): void {
    if (!this.#isKept) rmSync(this.dir, { recursive: true, force: true });
  }
}

/** A real daemon in a process of its own. */
export class Daemon implements AsyncDisposable {
  readonly client: Client;
  /** Milliseconds from the start of the process to the first answer at the socket. */
  readonly readyMs: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, client: Client, readyMs: number) {
    this.#child = child;
    this.client = client;
    this.readyMs = readyMs;
  }

  static async start(dir: string, env: Readonly<Record<string, string>> = {}): Promise<Daemon> {
    const startedAt = performance.now();
    const child = spawn(LAUNCHER, ["run", "--workspace", dir], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, ...env },
    });
    // A measurement that is broken off leaves no daemon behind.
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        child.kill("SIGKILL");
        process.exit(1);
      });
    }
    const socketPath = path.join(dir, "data/run/hone.sock");
    while (!(await isAnswered(socketPath))) {
      if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}`);
      await setTimeout(2);
    }
    const readyMs = performance.now() - startedAt;
    const client = await connect(socketPathOf(dir));
    if (client === null) throw new Error("the daemon does not answer");
    return new Daemon(child, client, readyMs);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  rssMb(): number {
    return rssMbOf(this.pid);
  }

  /** CPU time so far of the daemon and of what it has started and not yet ended, in milliseconds. */
  cpuMs(): number {
    return [this.pid, ...childrenOf(this.pid)].reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client[Symbol.asyncDispose]();
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}

/** Resident memory of a process in MB; 0 where there is none. */
export function rssMbOf(pid: number): number {
  const file = `/proc/${pid}/statm`;
  if (!existsSync(file)) return 0;
  return (Number(readFileSync(file, "utf8").split(" ")[1]) * PAGE_BYTES) / 1_048_576;
}

/** Processes that a process has started, and those that they have. */
export function childrenOf(pid: number): readonly number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  const own = existsSync(file) ? readFileSync(file, "utf8").split(" ").filter(Boolean) : [];
  return own.map(Number).flatMap((child) => [child, ...childrenOf(child)]);
}

function cpuMsOf(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  const fields = readFileSync(file, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}

async function isAnswered(socketPath: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = dial(socketPath);
  socket.once("connect", () => resolve(true));
  socket.once("error", () => resolve(false));
  const isUp = await promise;
  socket.destroy();
  return isUp;
}
