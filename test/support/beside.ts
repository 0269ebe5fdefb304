import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface, type Interface } from "node:readline";

const SCRIPT = path.join(import.meta.dirname, "ledger-process.ts");

/** A process beside the test (see ledger-process.ts); killed and awaited when disposed. */
export class LedgerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  readonly #said: string[] = [];
  readonly #ended: Promise<unknown>;

  /** With `limitBlocks`, no file of the process may grow past that many blocks of 512 bytes. */
  constructor(role: "read" | "write" | "fill" | "hold", file: string, limitBlocks?: number) {
    const node = [process.execPath, SCRIPT, role, file];
    const limited = `trap '' XFSZ; ulimit -f ${limitBlocks}; exec "$@"`;
    const [command = "", ...args] =
      limitBlocks === undefined ? node : ["/bin/sh", "-c", limited, "sh", ...node];
    this.#child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
    if (this.#child.stdout === null) throw new Error("the process has a pipe for its output");
    this.#lines = createInterface(this.#child.stdout);
    this.#lines.on("line", (line) => this.#said.push(line));
    this.#ended = once(this.#child, "close");
  }

  /** All lines so far. */
  get said(): readonly string[] {
    return this.#said;
  }

  /** Waits for the next line. */
  async line(): Promise<string> {
    const [line] = (await once(this.#lines, "line")) as [string];
    return line;
  }

  async ended(): Promise<void> {
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}
