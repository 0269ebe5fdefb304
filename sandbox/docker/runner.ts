import type childProcess from "node:child_process";
import type { Duplex, Readable } from "node:stream";
import type { RunnerCommand, RunnerReport } from "./protocol.ts";

/** What the daemon puts into the runner's text. */
export type RunnerSettings = {
  /** Of a child, before the flag for its memory. */
  readonly flags: readonly string[];
  /** What comes before the first frame of the input. */
  readonly opening: string;
  /** A longer frame from a child ends it. */
  readonly longestFrame: number;
  /** The descriptor of a child's channel. */
  readonly descriptor: number;
};

/**
 * The first process of a container: starts children, passes frames on, and says how children ended.
 * It runs no program itself. When its input ends, so does the container: that is how nothing is left
 * of a daemon that died.
 */
function runner(load: NodeJS.Require, settings: RunnerSettings): void {
  const { spawn } = load("node:child_process") as typeof childProcess;
  let nonce = "";
  let guest = "";
  let last = 0;
  let child: childProcess.ChildProcess | null = null;
  const report = (said: RunnerReport): void => {
    process.stdout.write(frameOf(nonce + JSON.stringify(said)));
  };
  const start = (memoryMb: number): void => {
    child?.kill("SIGKILL");
    const number = (last += 1);
    const memory = `--max-old-space-size=${memoryMb}`;
    const started = spawn(process.execPath, [memory, ...settings.flags, "-"], {
      cwd: "/",
      env: { TZ: "UTC", LC_ALL: "C" },
      stdio: ["pipe", "ignore", "ignore", "pipe"],
    });
    child = started;
    followChild(started, settings, {
      said: (text) => report({ kind: "said", child: number, text }),
      gone: (signal, code) => report({ kind: "gone", child: number, signal, code }),
    });
    started.stdin?.end(guest);
  };
  const take = (command: RunnerCommand): void => {
    switch (command.kind) {
      case "begin":
        nonce = command.nonce;
        guest = command.guest;
        return start(command.memoryMb);
      case "child":
        return start(command.memoryMb);
      case "say":
        if (child !== null)
          (child.stdio[settings.descriptor] as Duplex).write(frameOf(command.text));
        return;
      case "kill":
        child?.kill("SIGKILL");
    }
  };
  const end = (): never => process.exit(0);
  readFrames(process.stdin, settings.opening, Number.MAX_SAFE_INTEGER, (text) => {
    if (text === null) end();
    else take(JSON.parse(text) as RunnerCommand);
  });
  process.stdin.on("end", end);
  process.stdin.on("close", end);
  process.stdout.on("error", end);
}

/** Tells what a child says, and once how it ended: a process that it left may hold its channel open. */
function followChild(
  child: childProcess.ChildProcess,
  { longestFrame, descriptor }: RunnerSettings,
  tell: {
    readonly said: (text: string) => void;
    readonly gone: (signal: string | null, code: number | null) => void;
  },
): void {
  const channel = child.stdio[descriptor] as Duplex;
  let isGone = false;
  const gone = (code: number | null, signal: string | null): void => {
    if (isGone) return;
    isGone = true;
    tell.gone(signal, code);
  };
  const ignore = (): void => undefined;
  child.stdin?.on("error", ignore);
  channel.on("error", ignore);
  readFrames(channel, "", longestFrame, (text) => {
    if (text === null) child.kill("SIGKILL");
    else if (!isGone) tell.said(text);
  });
  child.once("error", () => gone(null, null));
  child.once("close", gone);
  child.once("exit", (code, signal) => setTimeout(gone, 250, code, signal));
}

/** Puts chunks together to frames; null for one that is announced too long, and then nothing more. */
// oxlint-disable-next-line max-params
function readFrames(
  stream: Readable,
  opening: string,
  longest: number,
  take: (text: string | null) => void,
): void {
  let chunks: Buffer[] = [];
  let held = 0;
  let isBroken = false;
  let isOpen = opening === "";
  const joined = (): Buffer => {
    if (chunks.length > 1) chunks = [Buffer.concat(chunks)];
    return chunks[0] as Buffer;
  };
  stream.on("data", (chunk: Buffer) => {
    if (isBroken) return;
    chunks.push(chunk);
    held += chunk.length;
    if (!isOpen) {
      const at = joined().indexOf(opening);
      if (at < 0) return;
      isOpen = true;
      chunks = [joined().subarray(at + opening.length)];
      held = (chunks[0] as Buffer).length;
    }
    while (held >= 4) {
      const length = (chunks[0] as Buffer).length < 4 ? joined() : (chunks[0] as Buffer);
      const size = length.readUInt32LE(0);
      if (size > longest) {
        isBroken = true;
        return take(null);
      }
      if (held < 4 + size) return;
      const all = joined();
      chunks = [all.subarray(4 + size)];
      held -= 4 + size;
      take(all.toString("utf8", 4, 4 + size));
    }
  });
}

function frameOf(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(4 + length);
  frame.writeUInt32LE(length, 0);
  frame.write(text, 4, "utf8");
  return frame;
}

/** The functions of this file, which become the text of the runner. */
export const RUNNER_PARTS = [runner, followChild, readFrames, frameOf];
