import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Duplex } from "node:stream";
import type { GuestFrame, HostFrame } from "../../../sandbox/isolate/protocol.ts";
import { encodeFrame, FrameReader, readGuestFrame } from "../guest/frames.ts";
import type { Guest, GuestEnd, KillReason } from "../guest/guest.ts";
import { Inbox } from "../guest/inbox.ts";

export type GuestSettings = {
  /** The program of the guest, see `guestText`. */
  readonly text: string;
  /** Without a compiler: no executable memory in the guest, and hot loops two to four times slower. */
  readonly jitless: boolean;
};

/** Resource limits of a guest: no core file, 1.2 GB of data, 20 s of CPU, no file, 64 descriptors. */
const SHELL =
  'ulimit -c 0; ulimit -d 1200000; ulimit -t 20; ulimit -f 0; ulimit -n 64; exec "$0" "$@"';

const FLAGS = ["--no-node-snapshot", "--max-old-space-size=128", "--input-type=commonjs", "-"];

const LONGEST_STDERR = 4_096;

/**
 * A guest process in a process group of its own, with an empty environment but for its time zone
 * and language, and one socket to the host.
 */
export class GuestProcess implements Guest {
  deadlineMs = Number.POSITIVE_INFINITY;
  /** Resident memory at which it is ended. */
  mostRssBytes = Number.POSITIVE_INFINITY;
  /** Executions it has been given. */
  executions = 0;
  cpuMs = 0;
  readonly graceMs = 400;
  /** Numbers of the scripts it has been told. */
  readonly surfaces = new Set<number>();
  /** Number of the variants that it was told last. */
  variants = -1;
  /** Resolves when the process and its streams are closed. */
  readonly closed: Promise<GuestEnd>;

  readonly #child: ChildProcess;
  readonly #socket: Duplex;
  readonly #frames = new Inbox<GuestFrame>();
  #killedFor: KillReason | null = null;
  readonly #gone = new AbortController();
  #stderr = "";

  constructor({ text, jitless }: GuestSettings) {
    const flags = jitless ? ["--jitless", ...FLAGS] : FLAGS;
    this.#child = spawn("/bin/sh", ["-c", SHELL, process.execPath, ...flags], {
      cwd: "/",
      env: { TZ: "UTC", LC_ALL: "C" },
      detached: true,
      stdio: ["pipe", "ignore", "pipe", "pipe"],
    });
    this.#socket = this.#child.stdio[3] as Duplex;
    this.closed = this.#watch();
    this.#child.stdin?.end(text);
  }

  /** Aborted once the process has ended. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  send(frame: HostFrame): void {
    this.#socket.write(encodeFrame(JSON.stringify(frame)));
  }

  receive(): Promise<GuestFrame | null> {
    return this.#frames.next();
  }

  /** Ends the whole process group at once; the first reason given stands. */
  kill(reason: KillReason): void {
    this.#killedFor ??= reason;
    const { pid } = this.#child;
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null)
      return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch (error) {
      // It has ended, and is heard of in a moment.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }

  /** Resident memory in bytes; 0 where the system does not tell. */
  rssBytes(): number {
    const pages = pagesOf(this.#child.pid);
    return pages * 4_096;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether it ended by itself, or somebody else ended it. */
  get endedUnasked(): boolean {
    return this.gone.aborted && this.#killedFor === null;
  }

  /** Whether it has ended, heard of or not: guests that die together are heard of one by one. */
  get hasEnded(): boolean {
    return this.gone.aborted || (IS_TOLD && pagesOf(this.#child.pid) === 0);
  }

  /** Ends the guest where it is overdue or has grown too large. */
  check(nowMs: number): void {
    if (nowMs > this.deadlineMs) this.kill("overdue");
    else if (this.rssBytes() > this.mostRssBytes) this.kill("memory");
  }

  #watch(): Promise<GuestEnd> {
    const reader = new FrameReader();
    this.#socket.on("data", (chunk: Buffer) => {
      const texts = reader.push(chunk);
      if (texts === null) return this.kill("protocol");
      for (const text of texts) this.#take(readGuestFrame(text));
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      if (this.#stderr.length < LONGEST_STDERR) this.#stderr += chunk.toString("latin1");
    });
    // A guest that dies while it is written to: its end says why.
    const ignore = (): void => undefined;
    this.#socket.on("error", ignore);
    this.#child.stdin?.on("error", ignore);
    return new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        this.#gone.abort();
        this.#frames.close();
        const stderr = this.#stderr.slice(0, LONGEST_STDERR);
        resolve({ killedFor: this.#killedFor, signal, code, stderr });
      };
      this.#child.once("close", end);
      this.#child.once("error", (error) => {
        this.#stderr += error.message;
        end(null, null);
      });
    });
  }

  #take(frame: GuestFrame | "malformed"): void {
    if (frame === "malformed") this.kill("protocol");
    else this.#frames.put(frame);
  }
}

/** Whether the system tells how much memory a process has; one that has ended has none. */
const IS_TOLD = existsSync("/proc/self/statm");

/** The second field of /proc/PID/statm. A process that is just ending has none. */
function pagesOf(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ", 2)[1] ?? 0);
  } catch {
    return 0;
  }
}
