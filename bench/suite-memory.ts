import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { report, tell, type Figure } from "./support/figures.ts";
import { childrenOf, LAUNCHER, rssMbOf } from "./support/throw-away.ts";

/**
 * Peak resident memory of a run of `hone eval` over suites: of the process that holds the loop, as
 * the daemon does, of its editor with the type checker, and of all guests together. Run:
 * `node bench/suite-memory.ts FILE_OR_FOLDER... [--budget-ms 10000] [--jobs 1] [--limit N]
 * [--proposers search] [--json]`. Exits with 1 where the loop reaches 300 MB or the guests 1 GB.
 */
const { values: options, positionals: suites } = parseArgs({
  allowPositionals: true,
  options: {
    "budget-ms": { type: "string", default: "10000" },
    jobs: { type: "string", default: "1" },
    limit: { type: "string" },
    proposers: { type: "string", default: "revert,drift,search" },
    json: { type: "boolean", default: false },
  },
});
const LOOP_MB = 300;
const GUESTS_MB = 1_024;
/** A guest that eats memory is ended within 25 ms of being seen: readings stand closer than that. */
const LOOK_EVERY_MS = 10;

type Part = "loop" | "editor" | "guests";

const peaks: Record<Part | "guest", number> = { loop: 0, editor: 0, guests: 0, guest: 0 };
const parts = new Map<number, Part>();
const startedAt = performance.now();
const code = await evaluate();
const figures: Figure[] = [
  { name: "the process with the loop", value: peaks.loop, unit: "MB", limit: LOOP_MB },
  { name: "the editor with the type checker", value: peaks.editor, unit: "MB" },
  { name: "all guests together", value: peaks.guests, unit: "MB", limit: GUESTS_MB },
  { name: "the largest guest", value: peaks.guest, unit: "MB" },
  { name: "the whole took", value: (performance.now() - startedAt) / 1_000, unit: "", note: "s" },
];
if (!report("suite-memory", figures, options.json) || code !== 0) process.exitCode = 1;

/** Runs the suites and looks at its processes until it ends; the exit code. */
async function evaluate(): Promise<number> {
  const { "budget-ms": budgetMs, jobs, limit, proposers, json } = options;
  const settings = ["--budget-ms", budgetMs, "--jobs", jobs, "--proposers", proposers];
  const most = limit === undefined ? [] : ["--limit", limit];
  tell(`hone eval ${suites.join(" ")}`, json);
  const child = spawn(LAUNCHER, ["eval", ...suites, ...settings, ...most, "--json"], {
    stdio: ["ignore", "ignore", json ? "ignore" : "inherit"],
  });
  const watch = setInterval(() => look(child.pid ?? 0), LOOK_EVERY_MS);
  const [ended] = (await once(child, "exit")) as [number | null];
  clearInterval(watch);
  return ended ?? 1;
}

function look(pid: number): void {
  const now: Record<Part, number> = { loop: 0, editor: 0, guests: 0 };
  for (const each of [pid, ...childrenOf(pid)]) {
    const mb = rssMbOf(each);
    const part = partOf(each, pid);
    now[part] += mb;
    if (part === "guests") peaks.guest = Math.max(peaks.guest, mb);
  }
  for (const part of ["loop", "editor", "guests"] as const) {
    peaks[part] = Math.max(peaks[part], now[part]);
  }
}

/** By the command line, which a process has kept since it was first seen in full. */
function partOf(pid: number, loop: number): Part {
  if (pid === loop) return "loop";
  const known = parts.get(pid);
  if (known !== undefined) return known;
  const words = commandOf(pid);
  const part = words.includes("--no-node-snapshot") ? "guests" : "editor";
  if (words.length > 3) parts.set(pid, part);
  return part;
}

function commandOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
