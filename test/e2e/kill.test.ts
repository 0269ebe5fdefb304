import assert from "node:assert/strict";
import Database from "better-sqlite3";
import { randomInt } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { BAD_AREA } from "../support/area-skill.ts";
import { DaemonProcess, survivors } from "../support/daemon.ts";
import { randomFrom } from "../support/random.ts";
import { webServer } from "../support/web-server.ts";
import { aWorkspace, skillFiles, type TestWorkspace } from "../support/workspace.ts";

const KILLS = 20;

/** Longest life of a daemon from its first answer to its death, in milliseconds. */
const LONGEST_MS = 1_200;

test(`killed at ${KILLS} random instants under load, hone comes back whole each time (B6)`, async (t) => {
  const seed = Number(process.env["HONE_KILL_SEED"] ?? randomInt(2 ** 31));
  t.diagnostic(`HONE_KILL_SEED=${seed}`);
  const random = randomFrom(seed);
  await using api = await aMovingApi();
  const workspace = await aWorkspace(t, workspaceFiles(api));
  const accepted = new Set<string>();

  for (let round = 0; round < KILLS; round += 1) {
    await using daemon = await DaemonProcess.start(workspace.dir);
    await assertServesTheHead(daemon, workspace);
    if (round % 4 === 3) api.move();
    const load = loadOn(daemon, round, accepted);
    await pause(random() * LONGEST_MS);
    const begun = await daemon.kill();
    await load;
    assert.deepEqual(await survivors(begun, 10_000), [], `round ${round}`);
    assertSound(workspace, round);
  }

  await using last = await DaemonProcess.start(workspace.dir);
  await allEnded(last, accepted);
  await settled(last);
  await assertServesTheHead(last, workspace);
  assert.equal(await last.stop(), 0);
  t.diagnostic(`${accepted.size} tasks, ${commitsOf(workspace).length} commits by hone`);
  assert.ok(commitsOf(workspace).length >= KILLS / 2, "there were releases to be interrupted");
  assertSound(workspace, KILLS);
  assertNothingLeft(workspace);
  await assertNothingTwice(workspace);
});

/** Skills of one fault each, one for each round's search. */
const FAULTY = ["area", ...Array.from({ length: KILLS - 1 }, (_, at) => `area${at + 1}`)];

type MovingApi = Awaited<ReturnType<typeof aMovingApi>>;

/** An API whose paths move to the next version; the old ones say where to. */
async function aMovingApi() {
  let version = 1;
  const server = await webServer((request, response) => {
    const [, asked = "", id = ""] = /^\/v(\d+)\/items\/(\w+)$/.exec(request.url ?? "") ?? [];
    response.setHeader("content-type", "application/json");
    if (Number(asked) === version) return void response.end(JSON.stringify({ name: `item ${id}` }));
    response.statusCode = 410;
    response.end(JSON.stringify({ error: "gone", moved_to: `/v${version}/items/${id}` }));
  });
  return { ...server, move: () => void (version += 1) };
}

function workspaceFiles({ origin, host }: MovingApi): Record<string, string> {
  const faulty = FAULTY.map((name) =>
    skillFiles(name, {
      source: BAD_AREA.replace("function area", `function ${name}`),
      cases: [{ name: "two by two", input: { width: 2, height: 2 }, expect: 4 }],
    }),
  );
  const drifting = skillFiles("item", {
    source: `type Ctx = { fetch(url: string): Promise<{ ok: boolean; status: number; json(): Promise<{ name: string }> }> };

export async function item(id: string, ctx: Ctx): Promise<string> {
  const answer = await ctx.fetch(\`${origin}/v1/items/\${id}\`);
  if (!answer.ok) throw new Error(\`the server answered \${answer.status}\`);
  const { name } = await answer.json();
  return name;
}
`,
    metadata: `  capabilities: { fetch: ["${host}"] }`,
    cases: [],
  });
  return Object.assign({ "hone.yaml": CONFIG }, drifting, ...faulty);
}

const CONFIG = `publish: auto
logLevel: silent
improve: { automatic: true, budgetMs: 5000, backoffMs: 200 }
heldOut: { share: 0, minimum: 0 }
watch: { minimumRuns: 5, maximumRuns: 20 }
life: { crashes: 1000 }
`;

/** Tasks and calls without a pause until the daemon is gone; what it accepted is written down. */
async function loadOn(daemon: DaemonProcess, round: number, accepted: Set<string>): Promise<void> {
  const skill = FAULTY[round] ?? "area";
  for (let batch = 0; ; batch += 1) {
    const tasks = Array.from({ length: 6 }, (_, at) =>
      taskOf(skill, `${round}-${batch}-${at}`, at),
    );
    const answer = await daemon.client.submit({ tasks }).catch(() => null);
    if (answer === null) return;
    for (const id of answer["tasks"] as string[]) accepted.add(id);
    await pause(30);
  }
}

function taskOf(skill: string, id: string, at: number) {
  if (at % 2 === 0) return { id, skill: "item", input: { id: `n${at}` }, expect: `item n${at}` };
  return { id, skill, input: { width: 3, height: 2 + at }, expect: 3 * (2 + at) };
}

/** The answers name the version at the head of the branch; a release may come in between. */
async function assertServesTheHead(daemon: DaemonProcess, workspace: TestWorkspace): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const before = workspace.git("rev-parse", "hone");
    const { head } = await daemon.client.status();
    const input = { width: 2, height: 2 };
    const { version } = await daemon.client.call({ skill: "area", input });
    const active = workspace.git("log", "-1", "--format=%H", "hone", "--", "skills/area");
    if (before !== workspace.git("rev-parse", "hone")) continue;
    assert.deepEqual([head, version], [before, active]);
    return;
  }
  assert.fail("the head never stood still");
}

function assertSound(workspace: TestWorkspace, round: number): void {
  const found = workspace.git("fsck", "--full", "--no-dangling", "--no-progress");
  assert.equal(found, "", `git fsck, round ${round}`);
  const db = new Database(path.join(workspace.dir, "data/run/hone.db"), { readonly: true });
  const integrity = db.pragma("integrity_check", { simple: true });
  db.close();
  assert.equal(integrity, "ok", `integrity, round ${round}`);
}

async function allEnded(daemon: DaemonProcess, accepted: ReadonlySet<string>): Promise<void> {
  for (const id of accepted) {
    let state = "";
    for (let look = 0; look < 600; look += 1) {
      state = String((await daemon.client.task({ id }))["state"]);
      if (state === "done" || state === "failed") break;
      await pause(50);
    }
    assert.equal(state, "done", `task ${id}`);
  }
}

/** Nothing is being improved any more, and the person's branch has what was released. */
async function settled({ client }: DaemonProcess): Promise<void> {
  for (let look = 0; look < 300; look += 1) {
    const { followed, incidents } = (await client.status()) as {
      followed: { relation: string };
      incidents: { state: string }[];
    };
    const isBusy = incidents.some(({ state }) => state === "improving" || state === "open");
    if (followed.relation === "same" && !isBusy) return;
    await pause(100);
  }
  assert.fail("hone never came to rest");
}

function commitsOf(workspace: TestWorkspace): readonly string[] {
  const log = workspace.git("log", "--format=%H", "--author=hone@", "main..hone");
  const all = workspace.git("log", "--format=%H", "--grep=^Hone-", "hone");
  assert.equal(log, "", "main has what hone released");
  return all.split("\n").filter(Boolean);
}

function assertNothingLeft(workspace: TestWorkspace): void {
  const files = readdirSync(path.join(workspace.dir, ".git"), { recursive: true });
  assert.deepEqual(
    files.filter((file) => String(file).endsWith(".lock")),
    [],
  );
  assert.equal(workspace.git("status", "--porcelain"), "");
  assert.ok(!readdirSync(path.join(workspace.dir, "data/run")).includes("hone.sock"));
}

/** One commit per incident and change, and the ledger knows just those that stand in git. */
async function assertNothingTwice(workspace: TestWorkspace): Promise<void> {
  const commits = commitsOf(workspace);
  const changes = commits.map((commit) => {
    const format = "--format=%(trailers:key=Hone-Incident,valueonly)";
    const incident = workspace.git("show", "--no-patch", format, commit);
    const changed = workspace.git("show", "--format=", commit, "--", "skills/*/skill.ts");
    return `${incident.trim() || commit}\n${changed}`;
  });
  assert.equal(new Set(changes).size, commits.length, "no release twice");
  await using hone = await workspace.open();
  const known = hone.house.store.releases({ limit: 1_000 });
  const made = known.filter(({ state }) => state !== "aborted").map(({ commit }) => commit);
  assert.deepEqual(made.toSorted(), commits.toSorted());
  assert.ok(known.every(({ state }) => state !== "pending"));
}
