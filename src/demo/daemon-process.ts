import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { HoneError } from "../domain/errors.ts";
import { connect, type Client } from "../serve/http/client.ts";
import { LAUNCHER } from "../entries.ts";
import { plainEnvironment } from "./processes.ts";

/** The daemon of the demo in a process of its own, and a client of its socket. */
export type DaemonProcess = AsyncDisposable & { readonly pid: number; readonly client: Client };

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** How long the daemon may take to be ready, and to end when it was asked to. */
const LIMIT_MS = 30_000;

/**
 * Starts `hone run` on a workspace and resolves when it answers. Disposing ends it: by SIGTERM, by
 * SIGKILL when that is not enough, and by SIGKILL too when this process exits without disposing.
 * Throws `daemon-unreachable` with what the daemon said, when it does not come up.
 */
export async function startDaemon(dir: string, signal: AbortSignal): Promise<DaemonProcess> {
  await using stack = new AsyncDisposableStack();
  const child = spawn(LAUNCHER, ["run", "--json", "--workspace", dir], {
    cwd: dir,
    env: { ...plainEnvironment(dir), HONE_HTTP_PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: Ctrl-C is for the demo, which then ends the daemon in order.
    detached: true,
  });
  stack.defer(() => end(child));
  const kill = (): void => killGroup(child);
  // Before the folder in which it works is removed.
  process.prependOnceListener("exit", kill);
  stack.defer(() => void process.off("exit", kill));
  const socketPath = await readiness(child, signal);
  const client = await connect(socketPath);
  if (client === null) throw unreachable("its socket does not answer");
  stack.use(client);
  const owned = stack.move();
  return {
    pid: child.pid ?? 0,
    client,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The path of the socket, from the line that the daemon prints when it is ready. */
async function readiness(child: Child, signal: AbortSignal): Promise<string> {
  const complaints: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints.push(text);
    if (complaints.length > 50) complaints.shift();
  });
  const late = AbortSignal.timeout(LIMIT_MS);
  const lines = createInterface({ input: child.stdout });
  try {
    const [line] = (await Promise.race([
      once(lines, "line", { signal: AbortSignal.any([signal, late]) }),
      once(lines, "close").then(() => [""]),
    ])) as [string];
    if (line !== "") return (JSON.parse(line) as { readonly socketPath: string }).socketPath;
  } catch (error) {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
  }
  throw unreachable(complaints.join("").trim() || "it said nothing");
}

async function end(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => killGroup(child), LIMIT_MS);
  await ended;
  clearTimeout(timer);
}

function killGroup({ pid, exitCode, signalCode }: Child): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(-pid, "SIGKILL");
}

function unreachable(why: string): HoneError {
  return new HoneError("daemon-unreachable", `The demo's daemon did not come up: ${why}`, {
    hint: "`hone doctor` checks what it needs.",
  });
}
