import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { areaSkill, BAD_AREA } from "../support/area-skill.ts";
import { DaemonProcess } from "../support/daemon.ts";
import { hone } from "../support/hone.ts";
import { aWorkspace, skillFiles, type TestWorkspace } from "../support/workspace.ts";

const STRUCK = path.join(import.meta.dirname, "../support/struck-daemon.ts");

/** The area of this rectangle ends the daemon that reads it; only the repaired skill tells it. */
const DEADLY = { width: 13, height: 377 };
const STRIKE = {
  NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${STRUCK}`,
  STRIKE: "answer 4901",
};

const CONFIG = `publish: auto
improve: { automatic: false, budgetMs: 10000, backoffMs: 0 }
heldOut: { share: 0 }
canary: { share: 1 }
life: { crashes: 3, quietMs: 3600000 }
`;

test("a release that ends the daemon each time leads to safe mode, on the version before it, until a person is done", async (t) => {
  const workspace = await aWorkspace(t, {
    "hone.yaml": CONFIG,
    ...areaSkill(),
    ...skillFiles("twin", { source: BAD_AREA.replace("area", "twin"), cases: [] }),
  });
  const commit = await released(workspace);
  const before = workspace.git("rev-parse", "hone", "main");

  for (let death = 0; death < 3; death += 1) await dies(workspace, death);

  await using daemon = await DaemonProcess.start(workspace.dir, STRIKE);
  const status = await daemon.client.status();
  assert.equal(status["mode"], "safe");
  const [problem] = status["problems"] as string[];
  assert.match(problem ?? "", /^safe mode since .*crashed 3 times/);
  const [instead] = status["servedInstead"] as { skill: string; active: string; served: string }[];
  assert.deepEqual([instead?.skill, instead?.active], ["area", commit]);
  const call = await daemon.client.call({ skill: "area", input: DEADLY });
  assert.deepEqual([call["value"], call["version"]], [390, instead?.served]);
  assert.equal((await daemon.client.call({ skill: "twin", input: DEADLY }))["value"], 390);
  const { state, error } = await daemon.client.task({ id: "deadly" });
  assert.equal(state, "failed");
  assert.match(String(error), /hone ended 3 times while it was under way/);
  assert.equal((await daemon.client.task({ id: "harmless" }))["state"], "done");
  await assert.rejects(daemon.client.improve({ skill: "twin" }), { code: "refused" });
  assert.equal(workspace.git("rev-parse", "hone", "main"), before, "git is as it was");
  const doctor = await hone(["doctor"], { cwd: workspace.dir });
  assert.match(doctor.stdout, /crashes +failed +safe mode since/);
  const log = await hone(["logs"], { cwd: workspace.dir });
  assert.match(log.stdout, /ERROR: safe mode\n +why: "the daemon crashed 3 times/);

  await daemon.client.rollback({ skill: "area", by: "ann" });
  const left = await daemon.client.leaveSafeMode({ by: "ann" });
  assert.equal(left["wasSafe"], true);
  assert.equal((await daemon.client.status())["mode"], "normal");
  assert.equal((await daemon.client.call({ skill: "area", input: DEADLY }))["value"], 390);
  assert.equal(await daemon.stop(), 0);
});

test("safe mode is left by itself after a quiet while, and by a start that is to be normal", async (t) => {
  const workspace = await aWorkspace(t, { "hone.yaml": CONFIG, ...areaSkill() });
  await using _stopped = stopping(workspace);
  putInSafeMode(workspace);
  await hone(["start"], { cwd: workspace.dir });
  assert.equal(await modeOf(workspace), "safe");

  const restarted = await hone(["restart", "--normal"], { cwd: workspace.dir });

  assert.equal(restarted.code, 0, restarted.stderr);
  assert.equal(await modeOf(workspace), "normal");
  await hone(["stop"], { cwd: workspace.dir });
  putInSafeMode(workspace);
  assert.equal(await modeOf(workspace), "safe", "also for a command without a daemon");
  await hone(["start", "--set", "life.quietMs=1000"], { cwd: workspace.dir });
  for (let look = 0; look < 100 && (await modeOf(workspace)) === "safe"; look += 1) await pause(50);
  assert.equal(await modeOf(workspace), "normal");
});

/** As three crashes do. */
function putInSafeMode(workspace: TestWorkspace): void {
  const safe = { since: Date.now(), why: "the daemon crashed 3 times in a row" };
  const record = { open: null, crashes: [], safe };
  workspace.write({ "data/run/life.json": JSON.stringify(record) });
}

/** Ends what was started in the background, before the folder goes. */
function stopping({ dir }: TestWorkspace): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => void (await hone(["stop", "--now"], { cwd: dir })),
  };
}

async function modeOf({ dir }: TestWorkspace): Promise<unknown> {
  const { stdout } = await hone(["status", "--json"], { cwd: dir });
  return (JSON.parse(stdout) as { mode: unknown }).mode;
}

/** A repair of the skill, which is under watch from then on. */
async function released(workspace: TestWorkspace): Promise<string> {
  await using daemon = await DaemonProcess.start(workspace.dir);
  await daemon.client.call({ skill: "area", input: { width: 2, height: 3 }, expect: 6 });
  const { result, commit } = await daemon.client.improve({ skill: "area" });
  assert.equal(result, "released");
  await daemon.stop();
  return String(commit);
}

/** A daemon that is asked for what ends it, or has that in its queue from the time before. */
async function dies({ dir }: TestWorkspace, death: number): Promise<void> {
  const daemon = await DaemonProcess.start(dir, STRIKE).catch(() => null);
  if (daemon === null) return;
  await using _daemon = daemon;
  if (death === 0) {
    await daemon.client.submit({
      tasks: [
        { id: "deadly", skill: "area", input: DEADLY },
        { id: "harmless", skill: "twin", input: { width: 1, height: 1 } },
      ],
    });
  }
  await daemon.ended;
}
