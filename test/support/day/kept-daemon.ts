import { spawn, type ChildProcess } from "node:child_process";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { descendantsOf } from "../daemon.ts";
import type { UnitFile } from "./unit-file.ts";

/** How often, and for how long, a daemon may fail to start. */
const MOST_FAILURES = 40;

/**
 * A daemon as its unit has it kept: started by the unit's command line with the unit's environment,
 * up when `ExecStartPost` says so, started again after a failure, ended by SIGTERM.
 */
export class KeptDaemon implements AsyncDisposable {
  readonly #unit: UnitFile;
  readonly #env: Readonly<Record<string, string>>;
  readonly #restartMs: number;
  #child: ChildProcess | null = null;
  #isWanted = true;
  #life: Promise<void> = Promise.resolve();
  #up = Promise.withResolvers<void>();
  #begun: number[] = [];
  /** Exit codes and signals of those that ended, in order. */
  readonly ended: string[] = [];
  starts = 0;

  private constructor(
    unit: UnitFile,
    { env, restartMs }: { env: Readonly<Record<string, string>>; restartMs: number },
  ) {
    this.#unit = unit;
    this.#env = env;
    this.#restartMs = restartMs;
    this.#up.promise.catch(() => undefined);
  }

  /**
   * Starts it and waits until it is up. `env` is what a manager brings along beside the unit's own;
   * a pause before it is started again may be shorter here than the unit's.
   */
  static async start(
    unit: UnitFile,
    options: { readonly env: Readonly<Record<string, string>>; readonly restartMs?: number },
  ): Promise<KeptDaemon> {
    const { restartMs = unit.restartMs } = options;
    const kept = new KeptDaemon(unit, { env: { ...options.env, ...unit.environment }, restartMs });
    kept.#life = kept.#keep();
    await kept.up();
    return kept;
  }

  /** Resolves when it is up; rejects when it will not be again. */
  async up(): Promise<void> {
    await this.#up.promise;
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    const { pid = 0 } = this.#child ?? {};
    process.kill(pid, "SIGSTOP");
    this.#begun.push(...descendantsOf(pid));
    this.#up = Promise.withResolvers();
    this.#up.promise.catch(() => undefined);
    process.kill(pid, "SIGKILL");
  }

  hangUp(): void {
    this.#child?.kill("SIGHUP");
  }

  /** What it has started and may have left behind when it was killed. */
  get begun(): readonly number[] {
    return this.#begun;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Asks it to end, as `systemctl stop` does; its exit code. */
  async stop(): Promise<string> {
    this.#isWanted = false;
    this.#begun.push(...descendantsOf(this.pid));
    this.#child?.kill("SIGTERM");
    await this.#life;
    return this.ended.at(-1) ?? "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isWanted = false;
    this.#child?.kill("SIGKILL");
    await this.#life;
  }

  async #keep(): Promise<void> {
    while (this.#isWanted) {
      const how = await this.#once();
      this.ended.push(how);
      const isFinal = how === "0" || this.#unit.finalCodes.map(String).includes(how);
      if (isFinal || this.starts >= MOST_FAILURES) {
        this.#up.reject(new Error(`the daemon ended for good: ${how}`));
        return;
      }
      if (this.#isWanted) await pause(this.#restartMs);
    }
  }

  async #once(): Promise<string> {
    this.starts += 1;
    const [program = "", ...args] = this.#unit.start;
    const child = spawn(program, args, {
      cwd: "/",
      env: this.#env,
      stdio: ["ignore", "ignore", 2],
    });
    this.#child = child;
    const ended = once(child, "close") as Promise<[number | null, string | null]>;
    void this.#answers(child);
    const [code, signal] = await ended;
    return signal ?? String(code);
  }

  async #answers(child: ChildProcess): Promise<void> {
    const [program = "", ...args] = this.#unit.startPost;
    await promisify(execFile)(program, args, { env: this.#env, cwd: "/" }).then(
      () => this.#up.resolve(),
      () => child.kill("SIGTERM"),
    );
  }
}
