import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { HoneError } from "../../domain/errors.ts";
import { FIXED_CONFIG, gitEnvironment } from "./environment.ts";

export type GitCall = {
  /** Fixed words; anything variable among them was validated, the rest goes by stdin. */
  readonly args: readonly string[];
  readonly stdin?: string | Uint8Array;
  /** Where to run, if not in the repository's folder. */
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Limit of the whole call, from start to end, in milliseconds. */
  readonly limitMs?: number;
  /** Exit codes that are an answer; any other is `git-failed`. */
  readonly answers?: readonly number[];
};

export type GitAnswer = {
  readonly code: number;
  readonly output: Buffer;
  /** What git wrote to stderr. */
  readonly complaint: string;
};

export type GitSettings = {
  /** The repository's folder, the only one that git is told to trust. */
  readonly folder: string;
  readonly searchPath: string;
  readonly now: () => number;
  readonly limitMs?: number;
  /** Time between SIGTERM and SIGKILL, in milliseconds. */
  readonly graceMs?: number;
};

const LIMIT_MS = 30_000;
const GRACE_MS = 2_000;
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

type Stop = { readonly why: string } | null;
type End = GitAnswer & { readonly stopped: Stop; readonly signal: NodeJS.Signals | null };

/** The one way to run git. Every call ends in time and leaves no process behind. */
export class Git {
  readonly folder: string;
  readonly #settings: GitSettings;

  constructor(settings: GitSettings) {
    this.folder = settings.folder;
    this.#settings = settings;
  }

  /** Runs git to its end. Rejects with `git-failed` when it could not answer. */
  async run(call: GitCall): Promise<GitAnswer> {
    const child = this.start(call);
    const limitMs = call.limitMs ?? this.#settings.limitMs ?? LIMIT_MS;
    const end = await finish(child, call.stdin ?? "", {
      limitMs,
      graceMs: this.#settings.graceMs ?? GRACE_MS,
    });
    const folder = call.folder ?? this.folder;
    if (end.stopped !== null) throw stopped(call, folder, end.stopped.why);
    if (end.signal === null && (call.answers ?? [0]).includes(end.code)) return end;
    throw failed(call, folder, end);
  }

  /** The single line that a call answers. */
  async line(args: readonly string[]): Promise<string> {
    const { output } = await this.run({ args });
    return output.toString().trimEnd();
  }

  /** Starts a git that the caller ends. Its process group is its own, so it can be ended whole. */
  start(call: Pick<GitCall, "args" | "folder" | "environment">): ChildProcessWithoutNullStreams {
    const config = [...FIXED_CONFIG, `safe.directory=${this.folder}`];
    return spawn("git", [...config.flatMap((setting) => ["-c", setting]), ...call.args], {
      cwd: call.folder ?? this.folder,
      env: {
        ...gitEnvironment(this.#settings.searchPath, this.#settings.now()),
        ...call.environment,
      },
      stdio: "pipe",
      detached: true,
    });
  }
}

/** Sends a signal to a git and everything that it started. */
export function signalGroup(
  child: { readonly pid?: number | undefined },
  signal: NodeJS.Signals,
): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The sentence in what git complained: its first `fatal:` or `error:` line, without that word. */
export function sentenceOf(complaint: string): string {
  const lines = complaint.split("\n").filter((line) => line.trim() !== "");
  const chosen = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines[0] ?? "";
  return chosen.replace(/^(?:fatal|error): /, "").trim();
}

function finish(
  child: ChildProcessWithoutNullStreams,
  stdin: string | Uint8Array,
  { limitMs, graceMs }: { readonly limitMs: number; readonly graceMs: number },
): Promise<End> {
  const { promise, resolve, reject } = Promise.withResolvers<End>();
  const timers: NodeJS.Timeout[] = [];
  let why: Stop = null;
  function stop(reason: string): void {
    if (why !== null) return;
    why = { why: reason };
    signalGroup(child, "SIGTERM");
    timers.push(setTimeout(() => endAtOnce(child), graceMs));
  }
  timers.push(setTimeout(() => stop(`did not end within ${String(limitMs)} ms`), limitMs));
  const output = collect(child.stdout, stop);
  const complaint = collect(child.stderr, stop);
  child.once("error", (cause) => {
    for (const timer of timers) clearTimeout(timer);
    reject(notStarted(cause));
  });
  child.once("close", (code, signal) => {
    for (const timer of timers) clearTimeout(timer);
    resolve({
      code: code ?? -1,
      signal,
      output: Buffer.concat(output),
      complaint: Buffer.concat(complaint).toString(),
      stopped: why,
    });
  });
  // A git that ends before it has read everything says why by its exit code.
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  return promise;
}

/** SIGKILL, and no waiting for pipes that something may still hold open. */
function endAtOnce(child: ChildProcessWithoutNullStreams): void {
  signalGroup(child, "SIGKILL");
  child.stdout.destroy();
  child.stderr.destroy();
  child.stdin.destroy();
}

function collect(stream: NodeJS.ReadableStream, stop: (reason: string) => void): Buffer[] {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_OUTPUT_BYTES) stop(`wrote more than ${String(MOST_OUTPUT_BYTES)} bytes`);
    else chunks.push(chunk);
  });
  return chunks;
}

function nameOf(call: GitCall): string {
  const verb = call.args.find((word) => !word.startsWith("-")) ?? "";
  return `git ${verb}`.trim();
}

function notStarted(cause: Error): HoneError {
  return new HoneError("git-failed", `git could not be started: ${cause.message}`, {
    hint: "Install git 2.38 or later, and check that the workspace's folder still exists.",
    cause,
  });
}

function stopped(call: GitCall, folder: string, why: string): HoneError {
  return new HoneError("git-failed", `${nameOf(call)} in ${folder} ${why} and was stopped`, {
    hint: "Look for a slow disk or a hanging program in the repository's configuration.",
    retryable: true,
  });
}

function failed(call: GitCall, folder: string, end: End): HoneError {
  const how = end.signal === null ? `exit code ${String(end.code)}` : end.signal;
  const reason = sentenceOf(end.complaint) || how;
  return new HoneError("git-failed", `${nameOf(call)} failed in ${folder}: ${reason}`, {
    hint: "Run `git fsck` and `git status` in that folder.",
  });
}
