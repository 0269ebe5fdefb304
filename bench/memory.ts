import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createEditor, type ProcessEditor } from "../src/adapters/morph/process-editor.ts";
import type { JsonObject } from "../src/domain/json.ts";
import { median, quantile, report, tell, type Figure } from "./support/figures.ts";
import { addUp, edition, faulty, FAULT, heldOut, TRIVIAL } from "./support/skills.ts";
import { childrenOf, Daemon, rssMbOf, ThrowAway } from "./support/throw-away.ts";

/**
 * What the daemon keeps of its work: `node bench/memory.ts [--runs 10000] [--reloads 1000]
 * [--repairs 100] [--patches 1000] [--limit-mb 50] [--json]`. One daemon runs a skill, takes in a
 * person's commits one by one, and repairs a fault again and again; an editor, the adapter that the
 * daemon has, makes patches. Exits with 1 where the daemon has grown by the limit.
 */
const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "10000" },
    reloads: { type: "string", default: "1000" },
    repairs: { type: "string", default: "100" },
    patches: { type: "string", default: "1000" },
    "limit-mb": { type: "string", default: "50" },
    json: { type: "boolean", default: false },
  },
});
const limitMb = Number(options["limit-mb"]);
/** The editor process may be this large, see `createEditor`; it is looked at after each request. */
const EDITOR_MB = 640;
/** Longest wait for a commit to be taken in: the daemon looks every 15 s where it was not told. */
const PATIENCE_MS = 40_000;

const figures: Figure[] = [];
const startedAt = performance.now();
await ofDaemon();
await ofEditor(Number(options.patches));
figures.push({
  name: "the whole took",
  value: (performance.now() - startedAt) / 1_000,
  unit: "",
  note: "s",
});
if (!report("memory", figures, options.json)) process.exitCode = 1;

async function ofDaemon(): Promise<void> {
  const files = { ...addUp(), ...edition(0), ...faulty(), ...heldOut() };
  using workspace = new ThrowAway(files, "improve: { automatic: false }\nproposers: [search]\n");
  await using daemon = await Daemon.start(workspace.dir);
  tell("warm-up: 500 runs, 20 reloads, 3 repairs", options.json);
  await run(daemon, 500);
  await reload(workspace, daemon, { from: 1, count: 20 });
  await repair(workspace, daemon, 3);
  const first = await settledMb(daemon);
  figures.push({ name: "daemon after the warm-up", value: first, unit: "MB" });
  let last = first;
  const phase = async (name: string, count: number, work: () => Promise<string>): Promise<void> => {
    tell(`${count} ${name}`, options.json);
    const note = await work();
    const now = await settledMb(daemon);
    figures.push({
      name: `growth by ${count} ${name}`,
      value: now - last,
      unit: "MB",
      limit: limitMb,
      note,
    });
    last = now;
  };
  const { runs, reloads, repairs } = options;
  await phase("runs", Number(runs), () => run(daemon, Number(runs)));
  await phase("reloads", Number(reloads), () =>
    reload(workspace, daemon, { from: 21, count: Number(reloads) }),
  );
  await phase("repairs", Number(repairs), () => repair(workspace, daemon, Number(repairs)));
  figures.push({ name: "growth in all", value: last - first, unit: "MB", limit: limitMb });
}

/** Calls through the socket, four at a time. */
async function run({ client }: Daemon, count: number): Promise<string> {
  const began = performance.now();
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) {
      const b = (next += 1);
      const { value } = await client.call({ skill: "add-up", input: { a: 1, b } });
      if (value !== 1 + b) throw new Error(`1 + ${b} was answered by ${JSON.stringify(value)}`);
    }
  };
  await Promise.all([1, 2, 3, 4].map(caller));
  return `${(count / ((performance.now() - began) / 1_000)).toFixed(0)} a second`;
}

/** A person's commits, each taken in and answered for by the version that it made. */
async function reload(
  workspace: ThrowAway,
  { client }: Daemon,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<string> {
  const waits: number[] = [];
  for (let number = from; number < from + count; number += 1) {
    const commit = workspace.commit(edition(number));
    waits.push(await takenIn(workspace, commit));
    const { value, version } = await client.call({ skill: "edition", input: { of: "this" } });
    if (value !== number || version !== commit)
      throw new Error(`edition ${number} does not answer`);
  }
  return `in use after ${median(waits).toFixed(0)} ms (median), ${quantile(waits, 1).toFixed(0)} ms at most`;
}

/** A fault that a run shows, a search for its repair, a release; then a person brings it back. */
async function repair(workspace: ThrowAway, { client }: Daemon, count: number): Promise<string> {
  let tried = 0;
  for (let done = 0; done < count; done += 1) {
    await client.call({ skill: "clamp", ...FAULT });
    const { result, reason, attempts } = await client.improve({ skill: "clamp" });
    if (result !== "released") throw new Error(`no release: ${JSON.stringify(reason)}`);
    tried += (attempts as JsonObject[]).reduce((sum, each) => sum + Number(each["tried"]), 0);
    await published(workspace);
    await takenIn(workspace, workspace.commit(faulty()));
  }
  return `${tried} edited programs tried, ${count} released`;
}

async function takenIn(workspace: ThrowAway, commit: string): Promise<number> {
  const began = performance.now();
  while (workspace.refOf("hone") !== commit) await pause(began, `commit ${commit} to be taken in`);
  return performance.now() - began;
}

async function published(workspace: ThrowAway): Promise<void> {
  const began = performance.now();
  while (workspace.refOf("hone") !== workspace.refOf("main")) {
    await pause(began, "the release to be published");
  }
}

async function pause(since: number, what: string): Promise<void> {
  if (performance.now() - since > PATIENCE_MS) throw new Error(`waited too long for ${what}`);
  await setTimeout(3);
}

/** The least of some readings, after what was under way has ended. */
async function settledMb(daemon: Daemon): Promise<number> {
  const readings: number[] = [];
  for (let at = 0; at < 6; at += 1) {
    await setTimeout(1_000);
    readings.push(daemon.rssMb());
  }
  return Math.min(...readings);
}

/** Patches as the stages make them: applied, inspected, held against types and policy. */
async function ofEditor(count: number): Promise<void> {
  tell(`${count} patches`, options.json);
  await using editor = createEditor();
  const pids = new Set<number>();
  let largest = 0;
  await patch(editor, 0);
  const before = process.memoryUsage.rss() / 1_048_576;
  for (let number = 1; number <= count; number += 1) {
    await patch(editor, number);
    if (editor.pid !== undefined) pids.add(editor.pid);
    for (const pid of childrenOf(process.pid)) largest = Math.max(largest, rssMbOf(pid));
  }
  const grown = process.memoryUsage.rss() / 1_048_576 - before;
  figures.push(
    {
      name: `growth of an editor's owner by ${count} patches`,
      value: grown,
      unit: "MB",
      limit: limitMb,
    },
    {
      name: "the editor process at its largest",
      value: largest,
      unit: "MB",
      limit: EDITOR_MB,
      note: `${pids.size} processes, one after the other`,
    },
  );
}

async function patch(editor: ProcessEditor, number: number): Promise<void> {
  const { signal } = new AbortController();
  const before = { text: TRIVIAL, language: "ts", entry: null } as const;
  const start = TRIVIAL.indexOf("a + b");
  const edits = [
    { op: "splice" as const, start, end: start + 5, text: `a + b + ${number} - ${number}` },
  ];
  const edited = await editor.apply(before, edits, signal);
  if (edited.status !== "edited") throw new Error(edited.reason);
  const after = { ...before, text: edited.text };
  const inspection = await editor.inspect(after, signal);
  if (inspection.status !== "sound") throw new Error("the patch is not sound");
  const errors = await editor.newTypeErrors(before, after, signal);
  if (errors.length > 0) throw new Error("the patch has errors of types");
  await editor.policyFindings(before, after, { values: [], thrown: [] }, signal);
}
