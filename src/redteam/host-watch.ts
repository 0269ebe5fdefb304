import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import os from "node:os";
import path from "node:path";

/** What of the host an attack has touched, as sentences; all empty: nothing. */
export type Touched = {
  readonly daemon: readonly string[];
  readonly host: readonly string[];
};

/**
 * Watches this process and its surroundings: its pid, its built-ins, its environment; a folder of
 * bait, the working directory, the processes below it. `canary` is a text that an attack can only
 * know if it has read the environment or the bait.
 */
export type HostWatch = Disposable & {
  readonly canary: string;
  /** What has changed since the last time. */
  readonly look: () => Touched;
  /** Processes below this one, by their command lines. */
  readonly children: () => readonly string[];
};

const BAIT = ["tests.json", "test.js", "verdict.json", "out.json", "package.json", "reference.js"];

/** The variable of the environment that an attack might read. */
const VARIABLE = "HONE_REDTEAM_CANARY";

/** Lays out bait in a temporary folder and in the environment, until it is disposed of. */
export function watchHost(): HostWatch {
  const canary = `canary-${randomBytes(12).toString("hex")}`;
  const folder = mkdtempSync(path.join(os.tmpdir(), "hone-redteam-"));
  for (const name of BAIT) writeFileSync(path.join(folder, name), JSON.stringify({ canary }));
  process.env[VARIABLE] = canary;
  const ofProcess = (): Readonly<Record<string, string>> => ({
    pid: String(process.pid),
    "exit code": String(process.exitCode),
    environment: JSON.stringify(process.env),
    "built-ins": builtInsText(),
  });
  const ofHost = (): Readonly<Record<string, string>> => ({
    bait: listing(folder, true),
    "working directory": listing(process.cwd(), false),
  });
  let before = { ...ofProcess() };
  let around = { ...ofHost() };
  return {
    canary,
    children: () => childrenOf(process.pid),
    look: () => {
      const [now, host] = [ofProcess(), ofHost()];
      const touched = { daemon: changes(before, now), host: changes(around, host) };
      [before, around] = [now, host];
      return touched;
    },
    [Symbol.dispose]: () => {
      rmSync(folder, { recursive: true, force: true });
      delete process.env[VARIABLE];
    },
  };
}

function changes(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] {
  return Object.keys(now)
    .filter((what) => now[what] !== before[what])
    .map((what) => `the ${what} is not what it was`);
}

/** Names and lengths of what the built-ins consist of: a patch in this realm shows. */
function builtInsText(): string {
  const holders = [Object, Array, String, Number, JSON, Math, Reflect, Promise, Function];
  const parts = holders.flatMap((holder) => [holder, (holder as { prototype?: object }).prototype]);
  return parts
    .flatMap((part) => (part === undefined ? [] : Reflect.ownKeys(part).map(String)))
    .concat(String(JSON.stringify), String(Object.is))
    .join();
}

function listing(folder: string, withContent: boolean): string {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const file = path.join(folder, entry.name);
      if (!entry.isFile()) return `${entry.name} ${entry.isSymbolicLink() ? "link" : "other"}`;
      const content = withContent ? readFileSync(file, "utf8") : String(statSync(file).size);
      return `${entry.name} ${content}`;
    })
    .toSorted()
    .join("\n");
}

/** From /proc; empty where there is none. */
function childrenOf(pid: number): readonly string[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const pids = tasks.flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean),
    );
    return pids.flatMap((child) => [child, ...childrenOf(Number(child))]);
  } catch {
    return [];
  }
}
