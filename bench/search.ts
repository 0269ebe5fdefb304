import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { freshIsolates, making, patient, sifting, type Work } from "./search/contestants.ts";
import { mutantsRun, runStryker, strykerProject } from "./search/stryker.ts";

/**
 * Candidates a second on one core: the search as it is, a fresh isolate per candidate, and the
 * mutation run of StrykerJS over the same functions and tests. Cold is the first round, which each
 * function meets for the first time; warm are the others. Each in processes of its own; what
 * counts is their processor time, less that of a run that makes the same candidates and tries none. The search and the fresh
 * isolates repair a faulty version; StrykerJS, which needs tests that pass, mutates the right one.
 * Run: `node bench/search.ts [rounds] [--without-stryker]`.
 */
const CONTESTANTS = { making, sifting, patient, freshIsolates } as const;
type Name = keyof typeof CONTESTANTS;

const [first = "12", second = "1"] = process.argv.slice(2);
if (first in CONTESTANTS) {
  const work = await CONTESTANTS[first as Name](Number(second));
  process.stdout.write(JSON.stringify(work));
} else {
  const rounds = Number(first) || 12;
  const cold = contest("sifting", 1);
  const ours = contest("sifting", rounds);
  const warm = beyond(cold, ours);
  const fresh = contest("freshIsolates", 1);
  const second = contest("patient", 1);
  console.log(`sifting, cold   ${told(cold)}`);
  console.log(`sifting, warm   ${told(warm)}`);
  console.log(`sifting         ${told(ours)}`);
  const cases = `${timesOf(cold, fresh)} times fewer than cold, ${timesOf(warm, fresh)} than warm`;
  console.log(`fresh isolates  ${told(fresh)}; ${timesOf(ours, fresh)} times fewer, ${cases}`);
  console.log(`second chances  ${told(second)}; cold, with those for what ran out of fuel`);
  if (!process.argv.includes("--without-stryker")) {
    const stryker = await strykerContest();
    console.log(`StrykerJS       ${told(stryker)}; ${timesOf(ours, stryker)} times fewer`);
  }
}

type Result = {
  readonly candidates: number;
  readonly cpuS: number;
  /** With the start. */
  readonly wholeS: number;
  readonly note: string;
};

function contest(name: Name, rounds: number): Result {
  const self = fileURLToPath(import.meta.url);
  const run = (of: Name): { readonly work: Work; readonly cpuS: number } => {
    const before = childrenCpuS();
    const text = execFileSync(process.execPath, [self, of, String(rounds)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return { work: JSON.parse(text) as Work, cpuS: childrenCpuS() - before };
  };
  const start = run("making").cpuS;
  const { work, cpuS } = run(name);
  const note = `${work.passing} pass, peak of the host ${work.peakMb} MB`;
  return { candidates: work.candidates, cpuS: cpuS - start, wholeS: cpuS, note };
}

/** What a longer run did beyond a short one: the same again, with everything warm. */
function beyond(short: Result, long: Result): Result {
  return {
    candidates: long.candidates - short.candidates,
    cpuS: long.cpuS - short.cpuS,
    wholeS: long.wholeS - short.wholeS,
    note: "the same functions again, in the same processes",
  };
}

async function strykerContest(): Promise<Result> {
  const folder = await strykerProject();
  try {
    const before = childrenCpuS();
    runStryker(folder, true);
    const started = childrenCpuS();
    runStryker(folder, false);
    const wholeS = childrenCpuS() - started;
    const cpuS = wholeS - (started - before);
    return { candidates: await mutantsRun(folder), cpuS, wholeS, note: "its own mutants" };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Processor time of all that this process has started and that has ended, in seconds. */
function childrenCpuS(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // The 16th and 17th of proc(5), in ticks of 10 ms; the first two stand before the bracket.
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function rateOf({ candidates, cpuS }: Result): number {
  return candidates / cpuS;
}

function told(result: Result): string {
  const { candidates, cpuS, wholeS, note } = result;
  const whole = `${Math.round(candidates / wholeS)} with its start`;
  const rate = `${Math.round(rateOf(result))} a second and core, ${whole}`;
  return `${rate} (${candidates} in ${cpuS.toFixed(1)} s; ${note})`;
}

function timesOf(ours: Result, other: Result): string {
  return (rateOf(ours) / rateOf(other)).toFixed(0);
}
