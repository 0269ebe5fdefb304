import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { HoneError } from "../../domain/errors.ts";
import { type Git, signalGroup } from "./git-process.ts";
import { KnownTrees } from "./known-trees.ts";

export type GitObject = {
  readonly id: string;
  readonly type: string;
  readonly bytes: Buffer;
};

type Request = {
  readonly answer: (object: GitObject | null | "gone" | "too-large") => void;
  readonly timer: NodeJS.Timeout;
};
type Header = { readonly id: string; readonly type: string; readonly size: number };

const LIMIT_MS = 10_000;
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Reads objects through one long-lived `git cat-file --batch`, which costs a fraction of a
 * millisecond where a process costs several. A reader that dies or hangs is replaced, and what it
 * owed is asked once more.
 */
export class ObjectReader implements AsyncDisposable {
  /** Trees that were read through it. */
  readonly trees = new KnownTrees();
  readonly #git: Git;
  readonly #limitMs: number;
  #stream: AnswerStream | null = null;
  #isClosed = false;

  constructor(git: Git, limitMs: number = LIMIT_MS) {
    this.#git = git;
    this.#limitMs = limitMs;
  }

  /**
   * The object of a name, or null where there is none. The name is an object id or a fixed ref,
   * optionally with `:path`; the caller has validated it. Rejects with `git-failed`.
   */
  async read(name: string): Promise<GitObject | null> {
    if (name.includes("\n")) throw new Error("an object's name is one line");
    const first = await this.#ask(name);
    const answer = first === "gone" ? await this.#ask(name) : first;
    if (answer === "gone") throw unreadable(name, "git cat-file ended or hung, twice", true);
    if (answer === "too-large") {
      throw unreadable(name, `it is larger than ${String(MOST_BYTES)} bytes`, false);
    }
    return answer;
  }

  /** What is still asked is refused: no process is started for it that nobody would end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const stream = this.#stream;
    this.#stream = null;
    await stream?.end();
  }

  async #ask(name: string): Promise<GitObject | null | "gone" | "too-large"> {
    if (this.#isClosed) throw unreadable(name, "the repository has been closed", false);
    if (this.#stream === null || this.#stream.isOver) {
      this.#stream = new AnswerStream(this.#git.start({ args: ["cat-file", "--batch"] }));
    }
    return await this.#stream.ask(name, this.#limitMs);
  }
}

/** One `git cat-file --batch` process: names go in, objects come out in the same order. */
class AnswerStream {
  isOver = false;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #requests: Request[] = [];
  readonly #over = Promise.withResolvers<void>();
  #chunks: Buffer[] = [];
  #bytes = 0;
  #header: Header | null = null;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    child.stderr.resume();
    child.stdin.on("error", () => this.#kill());
    child.once("error", () => this.#settle());
    child.once("close", () => this.#settle());
  }

  ask(name: string, limitMs: number): Promise<GitObject | null | "gone" | "too-large"> {
    const { promise, resolve } = Promise.withResolvers<GitObject | null | "gone" | "too-large">();
    const timer = setTimeout(() => this.#kill(), limitMs);
    this.#requests.push({ answer: resolve, timer });
    this.#child.stdin.write(`${name}\n`);
    return promise;
  }

  async end(): Promise<void> {
    if (this.#requests.length === 0) this.#child.stdin.end();
    else this.#kill();
    const timer = setTimeout(() => this.#kill(), 1_000);
    await this.#over.promise;
    clearTimeout(timer);
  }

  #kill(): void {
    this.isOver = true;
    signalGroup(this.#child, "SIGKILL");
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  #settle(): void {
    this.isOver = true;
    while (this.#requests.length > 0) this.#answer("gone");
    this.#over.resolve();
  }

  #answer(object: GitObject | null | "gone" | "too-large"): void {
    const request = this.#requests.shift();
    if (request === undefined) return;
    clearTimeout(request.timer);
    request.answer(object);
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#header === null ? this.#takeHeader() : this.#takeBody(this.#header));
  }

  #takeHeader(): boolean {
    const bytes = this.#joined();
    const end = bytes.indexOf(10);
    if (end === -1) return false;
    this.#chunks = [bytes.subarray(end + 1)];
    this.#bytes -= end + 1;
    const [, id = "", type = "", size = ""] =
      /^([0-9a-f]{40}) (\w+) (\d+)$/.exec(bytes.toString("utf8", 0, end)) ?? [];
    if (id === "") this.#answer(null);
    else this.#expect({ id, type, size: Number(size) });
    return !this.isOver;
  }

  #expect(header: Header): void {
    this.#header = header;
    if (header.size <= MOST_BYTES) return;
    // The rest of the stream is the object; nothing behind it can be had without reading it.
    this.#answer("too-large");
    this.#kill();
  }

  #takeBody({ id, type, size }: Header): boolean {
    if (this.#bytes < size + 1) return false;
    const bytes = this.#joined();
    this.#header = null;
    this.#chunks = [bytes.subarray(size + 1)];
    this.#bytes -= size + 1;
    this.#answer({ id, type, bytes: Buffer.from(bytes.subarray(0, size)) });
    return this.#bytes > 0;
  }

  #joined(): Buffer {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    return bytes ?? Buffer.concat(this.#chunks);
  }
}

function unreadable(name: string, why: string, retryable: boolean): HoneError {
  return new HoneError("git-failed", `the object ${name} could not be read: ${why}`, {
    hint: "Run `git fsck` in the workspace's repository.",
    retryable,
  });
}
