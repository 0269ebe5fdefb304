import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Client } from "../src/serve/http/client.ts";
import { growLedger } from "./support/large-ledger.ts";
import { growRepository, nameOf, versionsIn } from "./support/large-repository.ts";
import { median, quantile, report, tell, type Figure } from "./support/figures.ts";
import { addUp } from "./support/skills.ts";
import { Daemon, ThrowAway } from "./support/throw-away.ts";

/**
 * A workspace of years: `node bench/scale.ts [--runs 1000000] [--skills 1000] [--changes 3]
 * [--asks 60] [--in FOLDER] [--json]`; a workspace in a folder that is named is kept. Makes a repository with so many skills, each changed so often, and
 * a ledger with so many runs, by an older hone; then starts a daemon on it and asks what people and
 * the dashboard ask. Exits with 1 where a figure misses its limit.
 */
const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "1000000" },
    skills: { type: "string", default: "1000" },
    changes: { type: "string", default: "3" },
    asks: { type: "string", default: "60" },
    in: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const skills = Number(options.skills);
const figures: Figure[] = [];

using workspace = new ThrowAway(addUp(), "", options.in);
const { dir } = workspace;
const ledger = path.join(dir, "data/run/hone.db");
const isNew = !existsSync(ledger);
if (isNew) {
  tell(`a history of ${skills} skills`, options.json);
  growRepository(dir, { skills, changes: Number(options.changes) });
  tell(`a ledger of ${options.runs} runs`, options.json);
  growLedger(ledger, versionsIn(dir, skills), Number(options.runs));
}
const megabytes = statSync(ledger).size / 1_048_576;
figures.push({ name: "ledger", value: megabytes, unit: "MB" });
if (isNew) await firstStart();
await laterStarts();
await asking();
if (!report("scale", figures, options.json)) process.exitCode = 1;

/** The one that counts what the older hone did not, and reads every skill for the first time. */
async function firstStart(): Promise<void> {
  tell("the first start, with its migration", options.json);
  await using daemon = await Daemon.start(dir);
  figures.push({ name: "first start, migration included", value: daemon.readyMs, unit: "ms" });
  const [ms] = await timesOf(1, () => daemon.client.skills());
  figures.push({ name: "skills, none of them ever read", value: ms ?? 0, unit: "ms" });
}

async function laterStarts(): Promise<void> {
  tell("five starts", options.json);
  const times: number[] = [];
  for (let at = 0; at < 5; at += 1) {
    await using daemon = await Daemon.start(dir);
    times.push(daemon.readyMs);
  }
  const note = `${Math.max(...times).toFixed(0)} at most`;
  figures.push({ name: "start, median", value: median(times), unit: "ms", limit: 2_000, note });
}

async function asking(): Promise<void> {
  await using daemon = await Daemon.start(dir);
  const { client } = daemon;
  for (const [name, ask] of Object.entries(questions(client))) {
    tell(name, options.json);
    const [first = 0] = await timesOf(1, ask);
    const times = await timesOf(Number(options.asks), ask);
    const note = `p50 ${median(times).toFixed(1)}, the first ${first.toFixed(0)}`;
    const value = quantile(times, 0.95);
    figures.push({ name: `${name}, p95`, value, unit: "ms", limit: 100, note });
  }
  await setTimeout(1_000);
  figures.push({ name: "daemon afterwards", value: daemon.rssMb(), unit: "MB" });
}

function questions(client: Client): Record<string, (at: number) => Promise<unknown>> {
  const skill = (at: number): string => nameOf((at * 7_919) % skills);
  return {
    status: () => client.status(),
    skills: () => client.skills(),
    log: (at) => client.log({ skill: skill(at) }),
    skill: (at) => client.skill({ name: skill(at) }),
    why: (at) => client.why({ skill: skill(at) }),
    incidents: () => client.incidents({}),
    "activity of 30 days": () => client.activity({ days: 30 }),
    "call of a skill": (at) => client.call({ skill: skill(at), input: { a: 1 } }),
  };
}

async function timesOf(
  count: number,
  ask: (at: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const began = performance.now();
    await ask(at);
    times.push(performance.now() - began);
  }
  return times;
}
