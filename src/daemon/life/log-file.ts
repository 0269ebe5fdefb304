import * as fs from "node:fs";
import path from "node:path";
import { messageOf } from "../../domain/errors.ts";

export type LogFileOptions = {
  readonly file: string;
  /** Size at which a new file is begun, in bytes. */
  readonly maxBytes: number;
  /** Older files kept as `<file>.1`, `<file>.2`, …; the first is the newest. */
  readonly files: number;
  readonly now?: () => number;
};

/** How the log stands: what it lost since it took a line last, and why. */
export type LogState = {
  readonly file: string;
  readonly bytes: number;
  /** Lines lost in the life of this process. */
  readonly lost: number;
  /** Why the last line could not be written; null: it was. */
  readonly trouble: string | null;
};

/** How often it is looked whether the file is still the one of that name, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * The log's file, as a destination of pino. A line is with the kernel before `write` returns, so
 * that no end of the process loses one. What a full disk does not take is counted and let go: nothing
 * is held in memory, nothing waits. The file may be moved or removed by others: a new one is begun.
 */
export class LogFile implements Disposable {
  #options: LogFileOptions;
  readonly #now: () => number;
  #fd: number | null = null;
  #inode = 0;
  #bytes = 0;
  #lookedAt = 0;
  /** The file ends in the middle of a line. */
  #isTorn = false;
  #lost = 0;
  #untold = 0;
  #trouble: string | null = null;

  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get state(): LogState {
    const { file } = this.#options;
    return { file, bytes: this.#bytes, lost: this.#lost, trouble: this.#trouble };
  }

  /** Other limits from now on. */
  limit(limits: Pick<LogFileOptions, "maxBytes" | "files">): void {
    this.#options = { ...this.#options, ...limits };
  }

  /** Takes a line with its line feed. Never throws. */
  write(line: string): void {
    try {
      this.#look();
      const bytes = Buffer.from(this.#untold === 0 ? line : `${this.#gap()}${line}`);
      if (this.#bytes > 0 && this.#bytes + bytes.length > this.#options.maxBytes) this.#rotate();
      this.#append(this.#isTorn ? Buffer.concat([LINE_FEED, bytes]) : bytes);
      this.#untold = 0;
      this.#trouble = null;
    } catch (error) {
      this.#lost += 1;
      this.#untold += 1;
      this.#trouble = messageOf(error);
    }
  }

  [Symbol.dispose](): void {
    if (this.#fd !== null) fs.closeSync(this.#fd);
    this.#fd = null;
  }

  /** Opens the file where it is not open, and where another one has its name, or none. */
  #look(): void {
    const now = this.#now();
    if (this.#fd !== null && now - this.#lookedAt < LOOK_MS && now >= this.#lookedAt) return;
    this.#lookedAt = now;
    if (this.#fd !== null && this.#isInPlace()) return;
    this[Symbol.dispose]();
    this.#open();
  }

  #isInPlace(): boolean {
    const found = fs.statSync(this.#options.file, { throwIfNoEntry: false });
    return found?.ino === this.#inode;
  }

  #open(): void {
    const { file } = this.#options;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    this.#fd = fs.openSync(file, "a+", 0o600);
    const { ino, size } = fs.fstatSync(this.#fd);
    this.#inode = ino;
    this.#bytes = size;
    this.#isTorn = !endsLine(this.#fd, size);
  }

  #append(bytes: Buffer): void {
    if (this.#fd === null) throw new Error("the log is closed");
    let done = 0;
    try {
      while (done < bytes.length) done += fs.writeSync(this.#fd, bytes, done);
      this.#isTorn = false;
    } finally {
      this.#bytes += done;
      if (done > 0 && done < bytes.length) this.#isTorn = true;
    }
  }

  /** Moves the file one on, and all older ones. One that cannot be moved is written on. */
  #rotate(): void {
    const { file, files } = this.#options;
    this[Symbol.dispose]();
    try {
      const names = [file, ...Array.from({ length: files }, (_, at) => `${file}.${at + 1}`)];
      fs.rmSync(names.at(-1) ?? file, { force: true });
      for (let at = names.length - 2; at >= 0; at -= 1) move(names[at], names[at + 1]);
    } finally {
      this.#open();
    }
  }

  /** The line that tells of those that are missing. */
  #gap(): string {
    const told = { level: 40, time: this.#now(), lost: this.#untold, reason: this.#trouble };
    return `${JSON.stringify({ ...told, msg: "lines of the log were lost" })}\n`;
  }
}

const LINE_FEED = Buffer.from("\n");

function move(from: string | undefined, to: string | undefined): void {
  if (from === undefined || to === undefined || !fs.existsSync(from)) return;
  fs.renameSync(from, to);
}

/** Whether a file is empty or ends with a line feed: a death may have torn its last line. */
function endsLine(fd: number, size: number): boolean {
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  fs.readSync(fd, last, 0, 1, size - 1);
  return last.equals(LINE_FEED);
}
