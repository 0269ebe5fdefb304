import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openStoreReadOnly } from "../../src/adapters/sqlite/sqlite-store.ts";
import { areaSkill } from "../support/area-skill.ts";
import { DaemonProcess } from "../support/daemon.ts";
import { hone } from "../support/hone.ts";
import { aWorkspace, linesOf } from "../support/workspace.ts";

type Row = Readonly<Record<string, unknown>>;

const CONFIG = `publish: auto
logLevel: silent
improve: { automatic: false }
schedules:
  - { name: pulse, cron: "* * * * * *", submit: tasks.jsonl }
  - { name: nightly, cron: "30 2 * * *", timezone: Europe/Vienna, improve: "*" }
`;

test("B61 T10 killed and started again, a daemon runs the tasks of each slot once", async (t) => {
  const workspace = await aWorkspace(t, {
    "hone.yaml": CONFIG,
    "tasks.jsonl": linesOf([{ id: "one", skill: "area", input: { width: 2, height: 2 } }]),
    ...areaSkill(),
  });
  for (let start = 0; start < 3; start += 1) {
    await using daemon = await DaemonProcess.start(workspace.dir);
    const before = await doneIn(daemon);
    while ((await doneIn(daemon)) < before + 2) await pause(50);
    await daemon.kill();
  }

  using store = openStoreReadOnly(path.join(workspace.dir, "data", "run", "hone.db"));
  const runs = store.runs({ skill: "area", heldOut: false, limit: 100 });
  const tasks = runs.map(({ taskId }) => taskId);
  assert.ok(tasks.length >= 6);
  assert.equal(new Set(tasks).size, tasks.length);
  for (const task of tasks) assert.match(task, /^one@\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
});

test("`hone schedule ls` tells when each schedule is due, without a daemon", async (t) => {
  const workspace = await aWorkspace(t, { "hone.yaml": CONFIG, ...areaSkill() });

  const { stdout } = await hone(["schedule", "ls", "--json"], { cwd: workspace.dir });

  const { schedules } = JSON.parse(stdout) as { schedules: Row[] };
  const [pulse, nightly] = schedules;
  assert.deepEqual(
    [pulse?.["name"], pulse?.["catchUp"], nightly?.["catchUp"], nightly?.["does"]],
    ["pulse", false, true, ["improve *"]],
  );
  const next = nightly?.["next"] as string[];
  assert.equal(next.length, 3);
  assert.ok(next.every((slot) => Date.parse(slot) > Date.now()));
  assert.equal(nightly?.["nextAt"], Date.parse(next[0] ?? ""));
});

async function doneIn(daemon: DaemonProcess): Promise<number> {
  const { tasks } = await daemon.client.status();
  return Number((tasks as Row)["done"]);
}
