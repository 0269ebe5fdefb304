import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Engine } from "../../src/adapters/docker/engine.ts";

const DOCKERD = ["/usr/sbin/dockerd", "/usr/bin/dockerd"].find((file) => existsSync(file));

/** Whether an engine of one's own can be started here. */
export const mayStartEngine = DOCKERD !== undefined && process.getuid?.() === 0;

/** A dockerd with folders and a socket of its own, to be stopped without harm to anybody else's. */
export class OwnEngine implements AsyncDisposable {
  readonly socket: string;
  readonly engine: Engine;
  readonly #dir: string;
  #child: ChildProcess | null = null;

  private constructor(dir: string) {
    this.#dir = dir;
    this.socket = path.join(dir, "docker.sock");
    this.engine = new Engine({ socket: this.socket, env: {} });
  }

  static async start(): Promise<OwnEngine> {
    const own = new OwnEngine(await mkdtemp(path.join(tmpdir(), "hone-dockerd-")));
    await own.start();
    return own;
  }

  /** Starts it, or starts it again. Resolves when it answers. */
  async start(): Promise<void> {
    const args = [
      ["--host", `unix://${this.socket}`],
      ["--data-root", path.join(this.#dir, "data")],
      ["--exec-root", path.join(this.#dir, "run")],
      ["--pidfile", path.join(this.#dir, "pid")],
      ["--config-file", path.join(this.#dir, "daemon.json")],
      ["--bridge=none", "--iptables=false", "--ip6tables=false"],
    ].flat();
    // Of one that was killed, and of the part of it that died with it.
    for (const pid of ["pid", "run/containerd/containerd.pid"]) {
      await rm(path.join(this.#dir, pid), { force: true });
    }
    await writeFile(path.join(this.#dir, "daemon.json"), "{}");
    const child = spawn(DOCKERD ?? "dockerd", args, { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
    this.#child = child;
    const endsAt = Date.now() + 60_000;
    while (Date.now() < endsAt && child.exitCode === null) {
      const isUp = await this.engine.facts().then(
        () => true,
        () => false,
      );
      if (isUp) return;
      await pause(100);
    }
    throw new Error(`dockerd did not come up: ${said}`);
  }

  /** Ends it, as a machine's shutdown does or as a crash. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** Ends it with everything that it has started. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child === null) await this.start();
    const all = await this.engine.call("list", 10_000, (docker) =>
      docker.listContainers({ all: true }),
    );
    for (const { Id } of all) {
      await this.engine.call("remove", 20_000, (docker) =>
        docker.getContainer(Id).remove({ force: true }),
      );
    }
    await this.stop();
    // A dockerd that was killed leaves its folder mounted on itself.
    spawnSync("umount", [path.join(this.#dir, "data")], { stdio: "ignore" });
    await rm(this.#dir, { recursive: true, force: true });
  }
}
