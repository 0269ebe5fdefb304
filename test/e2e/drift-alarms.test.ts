import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { GOOD_AREA } from "../support/area-skill.ts";
import { DaemonProcess } from "../support/daemon.ts";
import { webServer } from "../support/web-server.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

type Row = Readonly<Record<string, unknown>>;

const CONFIG = `publish: auto
logLevel: silent
improve: { automatic: false }
heldOut: { share: 0 }
drift: { saturatedRuns: 100 }
`;

let daemon: DaemonProcess;
let server: Awaited<ReturnType<typeof webServer>>;
let answer: object = { count: 3, unit: "pieces" };
const cleaning: (() => void)[] = [];

before(async () => {
  server = await webServer((_, response) => response.end(JSON.stringify(answer)));
  const workspace = await aWorkspace(
    { after: (release) => void cleaning.push(release) },
    {
      "hone.yaml": CONFIG,
      ...aSkill("falling", GOOD_AREA.replace("function area", "function falling")),
      ...aSkill("blind", GOOD_AREA.replace("function area", "function blind")),
      ...countingSkill(server),
    },
  );
  daemon = await DaemonProcess.start(workspace.dir);
});

after(async () => {
  await daemon[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  for (const release of cleaning) release();
});

test("a live reward that falls while all cases pass is told once, until it is what it used to be", async () => {
  await run("falling", 125, (at) => ({ expect: 2 * at }));
  await alarmFree("falling");

  await run("falling", 30, () => ({ expect: -1 }));

  const [alarm, ...others] = await alarmsOf("falling", 1);
  assert.deepEqual([alarm?.["kind"], others], ["reward-fell", []]);
  assert.match(String(alarm?.["text"]), /mean reward 0\.\d\d over .*; all 1 cases pass$/);
  await run("falling", 40, (at) => ({ expect: 2 * at }));
  await alarmsOf("falling", 0);
});

test("B20 a reward that gives every run the best score, whatever it was asked, is told of", async () => {
  await run("blind", 210, () => ({}));

  const [alarm] = await alarmsOf("blind", 1);

  assert.equal(alarm?.["kind"], "reward-blind");
  assert.match(String(alarm?.["text"]), /each of the last 100 runs scored 1/);
});

test("an upstream whose answers change their shape is told of once, though nothing fails, until they are back", async () => {
  await count(25);
  await alarmFree("count");
  const { openIncidents } = await daemon.client.status();

  answer = { count: "3", amount: 3 };
  await count(8);

  const [alarm, ...others] = await alarmsOf("count", 1);
  assert.deepEqual([alarm?.["kind"], others], ["upstream-moved", []]);
  assert.match(
    String(alarm?.["text"]),
    /^GET 127\.0\.0\.1:\d+\/items\/\{\}: .*\$\.count is string now, was number; .*\$\.unit is missing/,
  );
  assert.equal((await daemon.client.status())["openIncidents"], openIncidents);
  answer = { count: 3, unit: "pieces" };
  await count(8);
  await alarmsOf("count", 0);
});

/** Calls, one after the other. */
async function run(skill: string, times: number, of: (at: number) => object): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    await daemon.client.call({ skill, input: { width: 2, height: at }, ...of(at) });
  }
}

/** Answers that come one after the other: those that come too fast are looked at in part. */
async function count(times: number): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    await daemon.client.call({ skill: "count", input: { of: `item${"x".repeat(at)}` } });
    await pause(25);
  }
}

async function alarmFree(skill: string): Promise<void> {
  assert.deepEqual(await alarmsOf(skill, 0), []);
}

/** The alarms of a skill, once there are so many. */
async function alarmsOf(skill: string, wanted: number): Promise<readonly Row[]> {
  for (;;) {
    const { alarms } = await daemon.client.status();
    const own = (alarms as Row[]).filter((alarm) => alarm["skill"] === skill);
    if (own.length === wanted) return own;
    await pause(20);
  }
}

function aSkill(name: string, source: string): Record<string, string> {
  const cases = [{ name: "two by two", input: { width: 2, height: 2 }, expect: 4 }];
  return skillFiles(name, { source, cases });
}

function countingSkill({ origin, host }: { readonly origin: string; readonly host: string }) {
  return skillFiles("count", {
    source: `type Ctx = { fetch(url: string): Promise<{ json(): Promise<{ count: number }> }> };

export async function count(of: string, ctx: Ctx): Promise<string> {
  const answer = await ctx.fetch(\`${origin}/items/\${of}\`);
  const { count } = await answer.json();
  return String(count);
}
`,
    metadata: `  capabilities: { fetch: ["${host}"] }`,
    cases: [],
  });
}
