import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createRepository } from "../../../src/daemon/compose.ts";
import { initWorkspace } from "../../../src/daemon/init-workspace.ts";
import { connect, type Client } from "../../../src/serve/http/client.ts";
import { socketPathOf } from "../../../src/serve/http/socket-path.ts";
import { gatherService } from "../../../src/service/gather.ts";
import { systemdUnit } from "../../../src/service/systemd-unit.ts";
import { freePort } from "./free-port.ts";
import { httpCaller, mcpCaller } from "./callers.ts";
import { DAY_SKILLS, daySkill, sourceOf } from "./day-skills.ts";
import { KeptDaemon } from "./kept-daemon.ts";
import { personIn, type Person } from "./person.ts";
import { Tally, until } from "./tally.ts";
import { startTraffic, type Pace } from "./traffic.ts";
import { readUnit } from "./unit-file.ts";
import { aVendor, DRIFTS, type Drift, type Vendor } from "./vendor.ts";

export type DayOptions = Pace & {
  /** The day goes on until so many calls were answered. */
  readonly calls: number;
  /** Between two things that happen, in milliseconds. */
  readonly restMs: number;
  readonly tell: (line: string) => void;
};

/** What a day came to. */
export type Day = {
  /** The workspace, with nobody in it any more; removed when the day is disposed of. */
  readonly dir: string;
  readonly tally: Tally;
  /** What became of each drift. */
  readonly drifts: Readonly<Record<Drift, "repaired" | "reported">>;
  /** How the daemons ended, in order. */
  readonly ended: readonly string[];
  /** Processes that killed daemons had begun. */
  readonly begun: readonly number[];
  /** Skills that answer something else than what is right, at the end, by their names. */
  readonly wrong: readonly string[];
} & AsyncDisposable;

type Scene = {
  readonly daemon: KeptDaemon;
  readonly vendor: Vendor;
  readonly person: Person;
  readonly tally: Tally;
  readonly dir: string;
  readonly clockFile: string;
  /** Asks the daemon that is up now. */
  readonly ask: <T>(work: (client: Client) => Promise<T>) => Promise<T | null>;
  readonly options: DayOptions;
};

/** Lives a day: traffic all the while, and what happens to a service in a bad one. */
export async function liveDay(options: DayOptions): Promise<Day> {
  await using stack = new AsyncDisposableStack();
  const vendor = stack.use(await aVendor());
  const dir = await realpath(await mkdtemp(path.join(os.tmpdir(), "hone-day-")));
  const owned = new AsyncDisposableStack();
  owned.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  const workspace = path.join(dir, "a day's tools, 100%");
  const port = await freePort();
  await makeWorkspace(workspace, vendor.origin, port);
  const clockFile = path.join(dir, "clock");
  const daemon = stack.use(await startKept(workspace, dir, clockFile));
  const tally = new Tally();
  const ask = asking(workspace);
  const scene: Scene = {
    daemon,
    vendor,
    person: personIn(workspace),
    tally,
    dir: workspace,
    clockFile,
    ask,
    options,
  };
  const watch = stack.use(watchRepairs(scene));
  const traffic = stack.use(await trafficIn(scene, port));
  const drifts = await live(scene);
  await until(
    "all calls",
    async () => (tally.answered.length >= options.calls ? true : null),
    600_000,
  );
  await traffic[Symbol.asyncDispose]();
  await watch[Symbol.asyncDispose]();
  const wrong = await wrongAtTheEnd(scene);
  await daemon.stop();
  await stack.disposeAsync();
  return {
    dir: workspace,
    tally,
    drifts,
    wrong,
    ended: daemon.ended,
    begun: daemon.begun,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function makeWorkspace(dir: string, origin: string, port: number): Promise<void> {
  await mkdir(dir);
  const files = Object.assign(
    { "hone.yaml": settings(port, 30_000) },
    ...DAY_SKILLS.map((skill) => skill.files(origin)),
  );
  for (const [name, text] of Object.entries(files as Record<string, string>)) {
    await mkdir(path.dirname(path.join(dir, name)), { recursive: true });
    await writeFile(path.join(dir, name), text);
  }
  await initWorkspace(dir, { isEmpty: true, createRepository });
}

function settings(port: number, budgetMs: number): string {
  return `publish: auto
docker: off
http: { port: ${port} }
improve: { automatic: true, budgetMs: ${budgetMs}, backoffMs: 1000 }
heldOut: { share: 0, minimum: 2 }
watch: { minimumRuns: 5, maximumRuns: 20 }
`;
}

/** The daemon, by its unit's command line; pauses between starts are shorter than a manager's. */
async function startKept(dir: string, home: string, clockFile: string): Promise<KeptDaemon> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home };
  const service = await gatherService({ workspace: dir, scope: "user", name: null, env });
  const unit = readUnit(systemdUnit(service), {
    C: path.join(home, ".cache"),
    E: path.join(home, ".config"),
    h: home,
  });
  const clock = new URL("shifted-clock.ts", import.meta.url).href;
  return await KeptDaemon.start(unit, {
    env: { HOME: home, NODE_OPTIONS: `--import=${clock}`, DAY_CLOCK_FILE: clockFile },
    restartMs: 300,
  });
}

/** Each question to the daemon that is up; null where none is, or it went away. */
function asking(dir: string): Scene["ask"] {
  let client: Client | null = null;
  return async (work) => {
    try {
      client ??= await connect(socketPathOf(dir));
      return client === null ? null : await work(client);
    } catch {
      await client?.[Symbol.asyncDispose]();
      client = null;
      return null;
    }
  };
}

async function trafficIn({ dir, tally, options }: Scene, port: number): Promise<AsyncDisposable> {
  const stack = new AsyncDisposableStack();
  const origin = `http://127.0.0.1:${port}`;
  const token = (await readFile(path.join(dir, "data/run/token"), "utf8")).trim();
  const clients = [
    mcpCaller("agent", { url: `${origin}/mcp`, token }, "new"),
    mcpCaller("old agent", { url: `${origin}/mcp`, token }, "old"),
    mcpCaller("agent by stdio", { dir }, "new"),
    httpCaller(origin, token),
  ];
  for (const client of clients) stack.use(client);
  stack.use(startTraffic(clients, tally, options));
  return stack;
}

/** Marks when a repair is under way, and when nothing is. */
function watchRepairs({ ask, tally }: Scene): AsyncDisposable {
  const life = { isEnding: false };
  const watching = (async () => {
    while (!life.isEnding) {
      const found = await ask((client) => client.incidents({}));
      const states = (found?.["incidents"] ?? []) as readonly { readonly state: string }[];
      const isRepairing = states.some(({ state }) => state === "improving");
      const isOpen = states.some(({ state }) => state === "open");
      tally.mark(found === null ? null : isRepairing ? "repair" : isOpen ? null : "rest");
      await pause(50);
    }
    tally.mark(null);
  })();
  return {
    async [Symbol.asyncDispose]() {
      life.isEnding = true;
      await watching;
    },
  };
}

async function live(scene: Scene): Promise<Day["drifts"]> {
  const { daemon, options } = scene;
  const ends: Partial<Record<Drift, "repaired" | "reported">> = {};
  const drift = async (which: Drift): Promise<void> => {
    scene.vendor.drift(which);
    options.tell(`the vendor: ${which}`);
    ends[which] = await endOf(which, scene);
    options.tell(`  ${ends[which]}`);
  };
  const rest = async (): Promise<void> => await pause(options.restMs);
  await rest();
  await drift("moved");
  await refusedCommit(scene, "initials", (text) => text.replace("toUpperCase", "toLowerCase"));
  await killed(scene, "at rest");
  await drift("renamed");
  await reloaded(scene);
  await refusedCommit(scene, "slug", (text) => text.replace("return ", "return ("));
  await drift("limited");
  await killed(scene, "in a repair", async () => {
    scene.vendor.drift("paged");
    await until(
      "a repair",
      async () => await scene.ask(async (client) => ((await improving(client)) ? true : null)),
    );
  });
  ends.paged = await endOf("paged", scene);
  options.tell(`the vendor: paged\n  ${ends.paged}`);
  await writeFile(scene.clockFile, String(-3_600_000));
  options.tell("the clock is put back by an hour");
  await rest();
  await badCommit(scene);
  await drift("gone");
  await rest();
  await daemon.up();
  return ends as Day["drifts"];
}

async function improving(client: Client): Promise<boolean> {
  const { incidents } = (await client.incidents({})) as {
    readonly incidents: readonly { readonly state: string }[];
  };
  return incidents.some(({ state }) => state === "improving");
}

type Row = {
  readonly id: string;
  readonly state: string;
  readonly rejections: number;
  readonly note: string;
};

/** Repaired: it answers right again. Reported: an incident stands that was worked on in vain. */
async function endOf(
  which: Drift,
  { ask, tally, options }: Scene,
): Promise<"repaired" | "reported"> {
  const skill = DAY_SKILLS.find(({ drift }) => drift === which);
  if (skill === undefined) throw new Error(`no skill drifts by ${which}`);
  const look = async (client: Client): Promise<"repaired" | Row | null> => {
    const answer = await client.incidents({ skill: skill.name });
    const incidents = answer["incidents"] as unknown as readonly Row[];
    const tried = incidents.find(
      ({ rejections, state }) => rejections > 0 && state !== "improving",
    );
    if (tried !== undefined) return tried;
    if (incidents.some(({ state }) => state === "open" || state === "improving")) return null;
    return incidents[0] ?? ((await isRight(skill.name, client, tally)) ? "repaired" : null);
  };
  const found = await until(`an end of ${which}`, async () => await ask(look));
  if (found === "repaired") return found;
  options.tell(`  ${found.id} is ${found.state}: ${found.note}`);
  return "reported";
}

/** Whether a skill answers all that it is ever asked as it should. */
async function isRight(name: string, client: Client, { probes }: Tally): Promise<boolean> {
  const skill = daySkill(name);
  for (let at = 0; at < 6; at += 1) {
    const input = skill.input(at);
    const { value = null, run } = await client.call({ skill: name, input });
    probes.push(String(run));
    if (JSON.stringify(value) !== JSON.stringify(skill.truth(input))) return false;
  }
  return true;
}

async function wrongAtTheEnd({ ask, tally }: Scene): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { name } of DAY_SKILLS) {
    const right = await until(
      `an answer of ${name}`,
      async () => await ask((client) => isRight(name, client, tally)),
    );
    if (!right) wrong.push(name);
  }
  return wrong;
}

/** A commit that its cases speak against: it is told, never served, and the person takes it back. */
async function refusedCommit(
  { person, ask, options }: Scene,
  skill: string,
  change: (text: string) => string,
): Promise<void> {
  const commit = await person.commit(sourceOf(skill), change);
  options.tell(`a person commits a mistake in ${skill}`);
  await until(
    `a report of ${skill}`,
    async () =>
      await ask(async (client) => {
        const { problems } = (await client.status()) as { readonly problems: readonly string[] };
        return problems.some((problem) => problem.includes(commit.slice(0, 10))) ? true : null;
      }),
  );
  await person.takeBack(commit);
  await until(
    `${skill} taken back`,
    async () =>
      await ask(async (client) => {
        const { followed } = (await client.status()) as {
          readonly followed: { readonly relation: string };
        };
        return followed.relation === "same" ? true : null;
      }),
  );
  options.tell("  refused and taken back");
}

/** A commit that no case speaks against, and that is wrong: the live runs tell. */
async function badCommit({ person, ask, tally, options }: Scene): Promise<void> {
  const name = "add-tax";
  const commit = await person.commit(sourceOf(name), (text) =>
    text.replace("Math.round(net * (100 + rate)) / 100", "Math.floor(net * (100 + rate)) / 100"),
  );
  options.tell(`a person commits a mistake in ${name} that its cases do not show`);
  await until(
    "the bad commit in force",
    async () =>
      await ask(async (client) => {
        const { version } = await client.skill({ name });
        return version === commit ? true : null;
      }),
  );
  await until(
    "the regression gone",
    async () => await ask(async (client) => ((await isRight(name, client, tally)) ? true : null)),
  );
  options.tell("  gone again");
}

async function killed(
  { daemon, tally, options }: Scene,
  when: string,
  before: () => Promise<void> = async () => undefined,
): Promise<void> {
  await before();
  tally.mark(null);
  await daemon.kill();
  options.tell(`kill -9, ${when}`);
  await daemon.up();
  options.tell("  up again");
}

/** Settings change, and the daemon is told by SIGHUP. */
async function reloaded({ daemon, dir, ask, options }: Scene): Promise<void> {
  const file = path.join(dir, "hone.yaml");
  const { pid } = daemon;
  await writeFile(
    file,
    (await readFile(file, "utf8")).replace("budgetMs: 30000", "budgetMs: 25000"),
  );
  daemon.hangUp();
  options.tell("SIGHUP, with new settings");
  await until("an answer after SIGHUP", async () => await ask((client) => client.status()));
  if (daemon.pid !== pid) throw new Error("SIGHUP ended the daemon");
}

export { DRIFTS };
