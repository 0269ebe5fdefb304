import { spawnSync } from "node:child_process";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { JsonObject } from "../src/domain/json.ts";
import { BareIsolate } from "./support/bare-isolate.ts";
import { breakdownOf } from "./support/breakdown.ts";
import { doorsOf, freePort, timed } from "./support/doors.ts";
import { median, quantile, report, tell, type Figure } from "./support/figures.ts";
import { addUp, TRIVIAL } from "./support/skills.ts";
import { Daemon, LAUNCHER, ThrowAway } from "./support/throw-away.ts";

/**
 * What the daemon costs while it serves and while it does not: `node bench/service.ts [--starts 5]
 * [--calls 500] [--commands 10] [--idle-s 10] [--json]`. What is compared takes turns, so that what
 * else the machine does falls on both. Exits with 1 where a figure misses its limit.
 */
const { values: options } = parseArgs({
  options: {
    starts: { type: "string", default: "5" },
    calls: { type: "string", default: "500" },
    commands: { type: "string", default: "10" },
    "idle-s": { type: "string", default: "10" },
    json: { type: "boolean", default: false },
  },
});
const CALL = { skill: "add-up", input: { a: 1, b: 2 } };
const QUESTION = {
  program: TRIVIAL.replace("export ", "").replaceAll(": number", ""),
  entry: "addUp",
  args: [1, 2],
};

const figures: Figure[] = [];
{
  const port = await freePort();
  using workspace = new ThrowAway(addUp(), `http: { port: ${port} }\n`);
  await starts(workspace.dir);
  await serving(workspace.dir, port);
  tell("where the time of a call goes", options.json);
  figures.push(...(await breakdownOf(workspace.dir, CALL, Number(options.calls))));
}
if (!report("service", figures, options.json)) process.exitCode = 1;

async function starts(dir: string): Promise<void> {
  tell(`${options.starts} starts, after one without compiled code`, options.json);
  const first = await start(dir, { NODE_COMPILE_CACHE: path.join(dir, "data/run/compiled") });
  await start(dir);
  const times: number[] = [];
  for (let at = 0; at < Number(options.starts); at += 1) times.push(await start(dir));
  const least = `least ${Math.min(...times).toFixed(0)}`;
  figures.push(
    { name: "ready, median", value: median(times), unit: "ms", limit: 1_000, note: least },
    { name: "ready, with no compiled code yet", value: first, unit: "ms" },
  );
}

async function start(dir: string, env?: Record<string, string>): Promise<number> {
  await using daemon = await Daemon.start(dir, env);
  return daemon.readyMs;
}

async function serving(dir: string, port: number): Promise<void> {
  await using daemon = await Daemon.start(dir);
  await idle(daemon);
  await calls(daemon);
  tell("each door in turn", options.json);
  figures.push(...(await doorsOf({ daemon, dir, port }, QUESTION, Number(options.calls))));
  commands(dir);
}

async function idle(daemon: Daemon): Promise<void> {
  const seconds = Number(options["idle-s"]);
  tell(`${seconds} s without work, twice`, options.json);
  await setTimeout(seconds * 1_000);
  const rssMb = daemon.rssMb();
  const before = daemon.cpuMs();
  await setTimeout(seconds * 1_000);
  const percent = (daemon.cpuMs() - before) / (seconds * 10);
  figures.push(
    { name: "idle daemon", value: rssMb, unit: "MB", limit: 120 },
    { name: "idle CPU, guests included", value: percent, unit: "%", limit: 2 },
  );
}

/** Calls of hone and bare ones in turns of a tenth each. */
async function calls(daemon: Daemon): Promise<void> {
  const { client } = daemon;
  const count = Number(options.calls);
  tell(`${count} calls, and as many of a bare isolate`, options.json);
  await using bare = await BareIsolate.start();
  const hone: number[] = [];
  const floor: number[] = [];
  const ofHone = async (): Promise<unknown> => (await client.call(CALL))["value"];
  await timed(50, ofHone);
  await timed(50, () => bare.call(QUESTION));
  let cpuMs = 0;
  for (let turn = 0; turn < 10; turn += 1) {
    const before = daemon.cpuMs();
    hone.push(...(await timed(count / 10, ofHone)));
    cpuMs += daemon.cpuMs() - before;
    floor.push(...(await timed(count / 10, () => bare.call(QUESTION))));
  }
  const over = median(hone) - median(floor);
  figures.push(
    {
      name: "call through the socket, p50",
      value: median(hone),
      unit: "ms",
      note: `least ${Math.min(...hone).toFixed(2)}`,
    },
    { name: "call through the socket, p99", value: quantile(hone, 0.99), unit: "ms" },
    {
      name: "bare isolate in a child, p50",
      value: median(floor),
      unit: "ms",
      note: `least ${Math.min(...floor).toFixed(2)}`,
    },
    { name: "bare isolate in a child, p99", value: quantile(floor, 0.99), unit: "ms" },
    { name: "overhead over the bare isolate, p50", value: over, unit: "ms", limit: 5 },
    { name: "CPU of a call, daemon and guests", value: cpuMs / hone.length, unit: "ms" },
    { name: "ratio to the bare isolate, p50", value: median(hone) / median(floor), unit: "x" },
  );
}

/** The whole command beside a Node that does nothing. */
function commands(dir: string): void {
  const count = Number(options.commands);
  tell(`${count} whole commands, and as many of node -e 0`, options.json);
  const input = JSON.stringify(CALL.input satisfies JsonObject);
  const hone: number[] = [];
  const node: number[] = [];
  for (let at = 0; at <= count; at += 1) {
    hone.push(command(LAUNCHER, ["--workspace", dir, "call", CALL.skill, "--input", input]));
    node.push(command(process.execPath, ["-e", "0"]));
  }
  const [command50, node50] = [median(hone.slice(1)), median(node.slice(1))];
  figures.push(
    { name: "hone call as a command, median", value: command50, unit: "ms" },
    { name: "node -e 0, median", value: node50, unit: "ms" },
    { name: "ratio to node -e 0", value: command50 / node50, unit: "x" },
  );
}

function command(program: string, args: readonly string[]): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(program, [...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
  return performance.now() - began;
}
