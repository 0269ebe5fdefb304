import * as fs from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as pause } from "node:timers/promises";

/** How often a followed log is looked at, in milliseconds. */
const LOOK_MS = 200;

const CHUNK_BYTES = 64 * 1024;

/**
 * The lines of a log and of the older files beside it, oldest first, without their line feeds. With
 * `follow` those to come as well, until the signal aborts, through every rotation; so does a line
 * that is being written, which is given when it is whole. Null says that all there was is read.
 */
export async function* logLines(
  file: string,
  { follow, signal }: { readonly follow: boolean; readonly signal: AbortSignal },
): AsyncGenerator<string | null> {
  let open: OpenFile | null = null;
  try {
    for (;;) {
      const next = nextAfter(file, open);
      if (next !== null) {
        // What was written to the old one before the new one was begun.
        if (open !== null) yield* open.lines();
        open?.[Symbol.dispose]();
        open = next;
      }
      if (open !== null) yield* open.lines();
      // The newest is read: older ones had another after them.
      if (next !== null && open !== null && open.inode !== inodeOf(file)) continue;
      if (!follow) break;
      yield null;
      await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
    const torn = open?.rest ?? "";
    if (torn !== "") yield torn;
  } finally {
    open?.[Symbol.dispose]();
  }
}

/** A file of the log, read from where it was left. It stays open: its name may go to another. */
class OpenFile implements Disposable {
  readonly inode: number;
  /** The beginning of a line whose end is not there yet. */
  rest = "";
  readonly #fd: number;
  readonly #decoder = new StringDecoder("utf8");
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);

  constructor(fd: number) {
    this.#fd = fd;
    this.inode = fs.fstatSync(fd).ino;
  }

  *lines(): Generator<string> {
    for (;;) {
      const bytes = fs.readSync(this.#fd, this.#chunk);
      if (bytes === 0) return;
      const [...lines] = (this.rest + this.#decoder.write(this.#chunk.subarray(0, bytes))).split(
        "\n",
      );
      this.rest = lines.pop() ?? "";
      yield* lines;
    }
  }

  /** When it was written to last, in milliseconds since the epoch. */
  get changedAt(): number {
    return fs.fstatSync(this.#fd).mtimeMs;
  }

  [Symbol.dispose](): void {
    fs.closeSync(this.#fd);
  }
}

/** The file that follows the one that is open, the oldest for none; null: there is none newer. */
function nextAfter(file: string, open: OpenFile | null): OpenFile | null {
  const names = namesOf(file);
  const at = open === null ? -1 : names.findIndex((name) => inodeOf(name) === open.inode);
  // One that is gone was removed, or was the oldest: those written to since come after it.
  const isGone = open !== null && at === -1;
  const next = isGone ? names.find((name) => isNewer(name, open.changedAt)) : names[at + 1];
  if (next === undefined) return null;
  try {
    return new OpenFile(fs.openSync(next, "r"));
  } catch (error) {
    // It was moved on just now, and is found at the next look.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** The files that are there, oldest first. */
function namesOf(file: string): readonly string[] {
  const names: string[] = [];
  if (fs.existsSync(file)) names.push(file);
  for (let at = 1; fs.existsSync(`${file}.${at}`); at += 1) names.push(`${file}.${at}`);
  return names.toReversed();
}

function isNewer(file: string, than: number): boolean {
  return (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= than;
}

function inodeOf(file: string): number | null {
  return fs.statSync(file, { throwIfNoEntry: false })?.ino ?? null;
}
