import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { BAD_AREA, GOOD_AREA } from "../support/area-skill.ts";
import { DaemonProcess } from "../support/daemon.ts";
import { aWorkspace, skillFiles, type TestWorkspace } from "../support/workspace.ts";

type Row = Readonly<Record<string, unknown>>;

const CONFIG = `publish: auto
logLevel: silent
improve: { automatic: false, budgetMs: 10000, backoffMs: 0 }
heldOut: { share: 0, minimum: 2 }
watch: { minimumRuns: 5, maximumRuns: 12, alpha: 0.05, tolerance: 0.02 }
canary: { share: 0.1, runs: 6 }
shadow: { share: 1, load: 1 }
`;

let workspace: TestWorkspace;
let daemon: DaemonProcess;
const cleaning: (() => void)[] = [];

before(async () => {
  workspace = await aWorkspace(
    { after: (release) => void cleaning.push(release) },
    {
      "hone.yaml": CONFIG,
      ...aSkill("good", BAD_AREA),
      ...aSkill("bad", GOOD_AREA),
      ...aSkill("twin", BAD_AREA),
    },
  );
  daemon = await DaemonProcess.start(workspace.dir);
});

after(async () => {
  await daemon[Symbol.asyncDispose]();
  for (const release of cleaning) release();
});

test("T15 a good repair gets its share, keeps each task's version, grows to the whole and is kept", async (t) => {
  const first = workspace.git("rev-parse", "hone");
  for (let at = 0; at < 6; at += 1) await ask("good", `warm-${at}`, { width: 2, height: 2 });
  await ask("good", "short", { width: 2, height: 3 });
  for (let at = 0; at < 6; at += 1) await ask("good", `good-${at}`, { width: 2, height: 2 });

  const { commit } = await daemon.client.improve({ skill: "good" });

  assert.equal(typeof commit, "string");
  const [share] = await canaries();
  assert.deepEqual([share?.["commit"], share?.["share"]], [commit, 0.1]);
  const versions = await versionsOf(t, "good", commit as string);
  const counted = [first, commit].map((one) => versions.filter((each) => each === one).length);
  assert.ok((counted[0] ?? 0) > (counted[1] ?? 0), "the release had the smaller share");
  assert.deepEqual(
    new Set(versions.slice(-5)),
    new Set([commit]),
    "it has all of the work at last",
  );
  assert.equal(await stateOf(commit), "kept");
  const events = (await daemon.client.log({ skill: "good" }))["versions"] as Row[];
  assert.equal(events[0]?.["state"], "kept");
  assert.deepEqual(await canaries(), []);
});

test("runs that are repeated on the other version are evidence, and nothing else", async () => {
  const { openIncidents } = await daemon.client.status();
  for (let at = 0; at < 4; at += 1) await ask("twin", `warm-${at}`, { width: 2, height: 2 });
  await ask("twin", "short", { width: 2, height: 3 });
  for (let at = 0; at < 4; at += 1) await ask("twin", `more-${at}`, { width: 2, height: 2 });
  await daemon.client.improve({ skill: "twin" });
  const runs = async (): Promise<number> => {
    const { versions } = await daemon.client.log({ skill: "twin" });
    return (versions as Row[]).reduce((sum, one) => sum + Number(one["runs"]), 0);
  };

  let asked = 0;
  while (Number((await canaries())[0]?.["shadows"]) < 3) {
    await ask("twin", `task-${asked}`, { width: 2, height: 2 });
    asked += 1;
    await pause(30);
  }

  const [row] = await canaries();
  assert.equal(row?.["shadowsDiffer"], 0);
  assert.equal(await runs(), 9 + asked);
  assert.equal((await daemon.client.status())["openIncidents"], openIncidents);
  await daemon.client.rollback({ skill: "twin", by: "Ann" });
});

test("B34 B36 a bad release that a person approved is taken back, and harmed its share alone", async (t) => {
  for (let at = 0; at < 12; at += 1) await ask("bad", `warm-${at}`, { width: 2, height: 2 });
  await ask("bad", "wrong", { width: 2, height: 3 }, 5);
  for (let at = 0; at < 3; at += 1) await ask("bad", `more-${at}`, { width: 2, height: 2 });
  const { candidate } = await daemon.client.improve({ skill: "bad" });
  const { commit } = await daemon.client.approve({ candidate: String(candidate), by: "Ann" });

  const versions = await versionsOf(t, "bad", String(commit));

  assert.equal(await stateOf(commit), "rolled-back");
  const harmed = versions.filter((one) => one === commit).length;
  t.diagnostic(`${harmed} of ${versions.length} runs had the bad release`);
  assert.ok(harmed >= 5, "no verdict before the minimum of runs");
  assert.ok(harmed < versions.length / 2);
  const next = await ask("bad", "after", { width: 8, height: 9 });
  assert.deepEqual([next["value"], next["version"]], [72, workspace.git("rev-parse", "hone")]);
});

/**
 * Asks for areas until the watch over a release has ended; the version of each run. The repair is
 * asked for what the version before can do as well, which is how it comes to have a share only.
 */
async function versionsOf(
  t: TestContext,
  skill: string,
  commit: string,
): Promise<readonly string[]> {
  const versions: string[] = [];
  while ((await stateOf(commit)) === "watching" && versions.length < 400) {
    const width = skill === "good" ? 2 : 3 + versions.length;
    const answer = await ask(skill, `task-${versions.length}`, { width, height: 2 });
    versions.push(String(answer["version"]));
  }
  t.diagnostic(`${versions.length} runs until the end of the watch`);
  return versions;
}

/** One task by name, to its end. */
async function ask(
  skill: string,
  id: string,
  input: { readonly width: number; readonly height: number },
  expect = input.width * input.height,
): Promise<Row> {
  const task = `${skill}-${id}`;
  await daemon.client.submit({ tasks: [{ id: task, skill, input, expect }] });
  for (;;) {
    const { run, state } = await daemon.client.task({ id: task });
    if (state === "done") return run as Row;
    assert.notEqual(state, "failed");
  }
}

async function canaries(): Promise<readonly Row[]> {
  return (await daemon.client.status())["canaries"] as Row[];
}

async function stateOf(commit: unknown): Promise<unknown> {
  const { releases } = await daemon.client.status();
  return (releases as Row[]).find((one) => one["commit"] === commit)?.["state"];
}

/** An area that may look at the clock, so that its cases do not tell all. */
function aSkill(name: string, source: string): Record<string, string> {
  const isGood = source === GOOD_AREA;
  return skillFiles(name, {
    source: source.replace("function area", `function ${name}`),
    metadata: "  capabilities: { clock: true }",
    cases: [{ name: "two by two", input: { width: 2, height: 2 }, expect: 4 }],
    ...(isGood
      ? {}
      : {
          heldOut: [
            { name: "seven by three", input: { width: 7, height: 3 }, expect: 21 },
            { name: "ten by ten", input: { width: 10, height: 10 }, expect: 100 },
          ],
        }),
  });
}
