import { spawn } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createContainers } from "../src/adapters/docker/docker-sandbox.ts";
import { createIsolateSandbox } from "../src/adapters/isolate/isolate-sandbox.ts";
import type { Containers } from "../src/ports/containers.ts";
import type { Execution, Sandbox } from "../src/ports/sandbox.ts";
import { median, quantile, report, tell, type Figure } from "./support/figures.ts";

/**
 * What each wall costs for the same suite of 20 calls: `node bench/sandbox.ts [--rounds 60]
 * [--seconds 8] [--json]`. The walls take turns, so that what else the machine does falls on all of
 * them; the measure is a bare child of Node that is started, runs the same calls and ends. Needs a
 * container engine.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "60" },
    seconds: { type: "string", default: "8" },
    json: { type: "boolean", default: false },
  },
});

const CALLS = 20;
const NOW = Date.UTC(2026, 0, 1);

/** Some work, as skills do it: texts, lists, a map, a sum. */
const PROGRAM = `function skill(text, n) {
  const counts = new Map();
  for (const word of text.split(/[^a-z]+/i)) counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + n);
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return { words: sorted.map(([word]) => word), total: sorted.reduce((sum, [, count]) => sum + count, 0) };
}`;

const TEXT = "The quick brown fox jumps over the lazy dog while the dog sleeps. ".repeat(12);

type Contender = {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** Resolves when the next run finds what it needs; not counted. */
  readonly ready?: () => Promise<void>;
};

await using stack = new AsyncDisposableStack();
const isolates = stack.use(createIsolateSandbox({ warm: 2, most: 2 }));
const cold = stack.use(containersOf("cold", 0));
const warm = stack.use(containersOf("warm", 2));
const contenders: readonly Contender[] = [
  { name: "bare node child", run: bareNode },
  { name: "isolate, warm", run: () => suite(isolates, false) },
  { name: "isolate, fresh for each call", run: () => suite(isolates, true) },
  { name: "container, started for it", run: () => suite(cold.sandbox, true) },
  { name: "container, started ahead", run: () => suite(warm.sandbox, true), ready: refilled },
];
const figures: Figure[] = [];
const startLoad = loadavg()[0] ?? 0;
await latencies();
await throughputs();
const load = `load average ${startLoad.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}`;
tell(load, options.json);
if (!report("sandbox", figures, options.json)) process.exitCode = 1;

async function latencies(): Promise<void> {
  const rounds = Number(options.rounds);
  tell(`${rounds} rounds of ${CALLS} calls by ${contenders.length} in turns`, options.json);
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -2; round < rounds; round += 1) {
    for (const { name, run, ready } of contenders) {
      await ready?.();
      const began = performance.now();
      await run();
      if (round >= 0) times.get(name)?.push(performance.now() - began);
    }
  }
  const bare = median(times.get("bare node child") ?? []);
  for (const [name, all] of times) {
    const ratio = `${(median(all) / bare).toFixed(2)} of a bare child, least ${Math.min(...all).toFixed(1)}`;
    figures.push(
      { name: `${name}, p50`, value: median(all), unit: "ms", note: ratio },
      { name: `${name}, p99`, value: quantile(all, 0.99), unit: "ms" },
    );
  }
}

/** Two at a time, back to back. */
async function throughputs(): Promise<void> {
  const ms = Number(options.seconds) * 1_000;
  tell(`${contenders.length} times ${options.seconds} s, two suites at a time`, options.json);
  for (const { name, run } of contenders) {
    const endsAt = performance.now() + ms;
    let suites = 0;
    const next = async (): Promise<void> => {
      while (performance.now() < endsAt) {
        await run();
        suites += 1;
      }
    };
    const began = performance.now();
    await Promise.all([next(), next()]);
    const perSecond = suites / ((performance.now() - began) / 1_000);
    const note = `${(perSecond * CALLS).toFixed(0)} calls a second`;
    figures.push({ name: `${name}, suites a second`, value: perSecond, unit: "", note });
  }
}

async function suite(sandbox: Sandbox, fresh: boolean): Promise<void> {
  const host = { next: async () => ({ answers: [], now: NOW }) };
  const calls = Array.from({ length: CALLS }, (_, n) => ({
    args: [TEXT, n],
    grants: [],
    environment: { now: NOW, seed: n },
    host,
  }));
  const execution: Execution = {
    program: { text: PROGRAM, entry: "skill", strict: true, takesCtx: false },
    calls,
    limits: { timeoutMs: 5_000, memoryMb: 64, outputBytes: 262_144 },
    fresh,
  };
  const results = await sandbox.execute(execution, new AbortController().signal);
  const returned = results.filter(({ trace }) => trace.outcome.status === "returned").length;
  if (returned !== CALLS) throw new Error(`${returned} of ${CALLS} calls returned`);
}

/** Starts, reads the questions, writes the answers, ends. No wall at all. */
async function bareNode(): Promise<void> {
  const script = `${PROGRAM}
    let input = "";
    process.stdin.on("data", (chunk) => (input += chunk)).on("end", () =>
      process.stdout.write(JSON.stringify(JSON.parse(input).map((args) => skill(...args)))));`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  child.stdin.end(JSON.stringify(Array.from({ length: CALLS }, (_, n) => [TEXT, n])));
  const answers = JSON.parse(await text(child.stdout)) as unknown[];
  await closed;
  if (answers.length !== CALLS) throw new Error("a bare child owes an answer for each call");
}

function containersOf(owner: string, ahead: number): Containers & AsyncDisposable {
  const made = createContainers({
    mode: "required",
    socket: "",
    env: process.env,
    image: "",
    runtime: "",
    warm: ahead,
    most: 4,
    owner: `bench-${owner}`,
    notes: { note: () => null, setNote: () => undefined },
    now: Date.now,
  });
  if (made === null) throw new Error("containers are off");
  return made;
}

/** A container is started in well under this time. */
async function refilled(): Promise<void> {
  await pause(1_500);
}
