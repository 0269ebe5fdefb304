import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { areaSkill } from "../support/area-skill.ts";
import { DaemonProcess, survivors } from "../support/daemon.ts";
import { hone, type Ended } from "../support/hone.ts";
import { aWorkspace, skillFiles, type TestWorkspace } from "../support/workspace.ts";
import { webServer } from "../support/web-server.ts";

const CONFIG = "publish: auto\nimprove: { automatic: false }\ntasks: { parallel: 2 }\n";

const STRUCK = path.join(import.meta.dirname, "../support/struck-daemon.ts");

let workspace: TestWorkspace;
let slow: Awaited<ReturnType<typeof webServer>>;
const cleaning: (() => void)[] = [];
/** Answers that a skill waits for. */
let held: (() => void)[] = [];

before(async () => {
  slow = await webServer((_, response) => {
    held.push(() => response.end('{"n":7}'));
  });
  workspace = await aWorkspace(
    { after: (release) => void cleaning.push(release) },
    {
      "hone.yaml": CONFIG,
      ...areaSkill(),
      ...skillFiles("slow", {
        source: `type Ctx = { fetch(url: string): Promise<{ json(): Promise<{ n: number }> }> };

export async function slow(id: string, ctx: Ctx): Promise<number> {
  return (await (await ctx.fetch("${slow.origin}/" + id)).json()).n;
}
`,
        metadata: `  capabilities: { fetch: ["${slow.host}"] }`,
        cases: [],
      }),
    },
  );
});

after(async () => {
  await run("stop", "--now");
  await slow[Symbol.asyncDispose]();
  for (const release of cleaning) release();
});

async function run(...args: readonly string[]): Promise<Ended> {
  return await hone(args, { cwd: workspace.dir });
}

async function answer(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await run(...args, "--json");
  assert.notEqual(stdout, "", stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

function isThere(name: string): boolean {
  return existsSync(path.join(workspace.dir, "data/run", name));
}

function logText(): string {
  return readFileSync(path.join(workspace.dir, "data/run/hone.log"), "utf8");
}

test("start returns when the daemon answers, refuses a second one, and stop leaves nothing behind", async () => {
  assert.equal((await run("wait", "--timeout", "0")).code, 3);

  const started = await answer("start");

  const pid = Number(started["pid"]);
  process.kill(pid, 0);
  assert.equal((await answer("status"))["pid"], pid);
  assert.equal((await answer("wait"))["pid"], pid);
  for (const command of ["start", "run"]) assert.equal((await run(command)).code, 75, command);
  const stopped = await answer("stop");
  assert.deepEqual([stopped["stopped"], stopped["pid"]], [true, pid]);
  assert.deepEqual(await survivors([pid], 1_000), []);
  assert.deepEqual(["hone.sock", "hone.pid"].filter(isThere), []);
  assert.deepEqual(await answer("stop"), {
    schemaVersion: 1,
    stopped: false,
    pid: null,
    tookMs: 0,
  });
});

test("start fails with the reason and the exit code of what keeps the daemon from starting", async () => {
  workspace.write({ "hone.yaml": `${CONFIG}logLevl: info\n` });
  const bad = await run("start");
  workspace.write({ "hone.yaml": CONFIG });
  const parallel = await run("start", "--set", "tasks.parallel=0");

  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /logLevl is no setting, did you mean logLevel\?/);
  assert.equal(parallel.code, 2);
  assert.ok(!isThere("hone.pid"));
});

test("settings are read anew at the command and at SIGHUP; wrong ones are refused, the old ones stay", async () => {
  const { pid } = await answer("start");
  assert.equal((await answer("reload"))["result"], "unchanged");

  workspace.write({ "hone.yaml": CONFIG.replace("parallel: 2", "parallel: 1") });
  const applied = await answer("reload");
  workspace.write({ "hone.yaml": `${CONFIG}nonsense: 1\n` });
  const refused = await run("reload");
  const bad = await answer("status");
  workspace.write({
    "hone.yaml": `${CONFIG}schedules: [{name: x, cron: "61 * * * *", improve: "*"}]\n`,
  });
  const badCron = await run("reload");
  workspace.write({ "hone.yaml": CONFIG.replace("auto", "manual") });
  process.kill(Number(pid), "SIGHUP");
  for (let look = 0; look < 200 && !logText().includes('"afterRestart":["publish"]'); look += 1)
    await pause(25);
  const good = await answer("status");

  assert.deepEqual(applied["applied"], [{ key: "tasks.parallel", from: 2, to: 1 }]);
  assert.equal(refused.code, 2);
  assert.match(String((bad["problems"] as string[])[0]), /not read anew.*nonsense is no setting/);
  assert.equal(badCron.code, 2, badCron.stderr);
  assert.match(String((good["problems"] as string[])[0]), /in force after `hone restart`: publish/);
  assert.equal(good["pid"], pid, "the same daemon all along");
});

test("restart keeps the daemon where the settings are not valid, and else starts another", async () => {
  const { pid } = await answer("wait");
  workspace.write({ "hone.yaml": `${CONFIG}nonsense: 1\n` });
  const refused = await run("restart");
  const never = 'schedules: [{ name: a, cron: "70 2 * * *", improve: "*" }]\n';
  workspace.write({ "hone.yaml": `${CONFIG}${never}` });
  const badCron = await run("restart");
  const kept = await answer("wait");
  workspace.write({ "hone.yaml": CONFIG });
  const restarted = await answer("restart");

  assert.equal(refused.code, 2);
  assert.equal(badCron.code, 2);
  assert.equal(kept["pid"], pid);
  assert.notEqual(restarted["pid"], pid);
});

test("a killed daemon's pid file and socket are no hindrance", async () => {
  const { pid } = await answer("wait");
  process.kill(Number(pid), "SIGKILL");

  assert.equal((await run("wait", "--timeout", "0")).code, 3);
  assert.ok(isThere("hone.pid"));
  assert.equal((await answer("stop"))["stopped"], false);
  // A stranger has that id now.
  writeFileSync(
    path.join(workspace.dir, "data/run/hone.pid"),
    `${process.pid}\nlong ago\nperson\n`,
  );
  assert.notEqual((await answer("start"))["pid"], pid);
});

test("calls under way are answered when the daemon is stopped, and what takes longer is done after the next start", async () => {
  await answer("start");
  const calling = answer("call", "slow", "--input", '{"id":"a"}');
  await until(() => held.length === 1);
  const stopping = answer("stop");
  await pause(100);
  for (const release of held) release();
  const [call, stopped] = [await calling, await stopping];

  assert.equal(call["value"], 7);
  assert.equal(stopped["stopped"], true);
  held = [];
  await using daemon = await DaemonProcess.start(workspace.dir, { HONE_LIFE_DRAIN_MS: "200" });
  await daemon.client.submit({ tasks: [{ id: "long", skill: "slow", input: { id: "b" } }] });
  await until(() => held.length === 1);
  assert.equal(await daemon.stop(), 0);
  assert.equal((await answer("status"))["mode"], "normal");
  held = [];
  await using again = await DaemonProcess.start(workspace.dir);
  await until(() => held.length > 0);
  for (const release of held) release();
  await until(async () => (await again.client.task({ id: "long" }))["state"] === "done");
  held = [];
  const hung = again.client.call({ skill: "slow", input: { id: "c" } }).catch(() => null);
  await until(() => held.length === 1);
  process.kill(again.pid, "SIGTERM");
  await pause(50);
  assert.equal(await again.stop("SIGTERM"), 143, "at once");
  await hung;
  const { crashes } = JSON.parse(
    readFileSync(path.join(workspace.dir, "data/run/life.json"), "utf8"),
  ) as { crashes: object[] };
  assert.equal(crashes.length, 1, "the one that was killed; to end at once is no crash");
});

test("logs tells what was logged, of one skill and since a time, as JSON lines or for people", async () => {
  await using daemon = await DaemonProcess.start(workspace.dir);
  await daemon.client.call({ skill: "area", input: { width: 2, height: 3 }, expect: 6 });
  await until(() => logText().includes("incident.opened"));

  const all = await run("logs");
  const some = await run("logs", "--skill", "area", "--since", "10m", "--json");
  const none = await run("logs", "--since", "2999-01-01", "--json");
  const wrong = await run("logs", "--since", "yesterday-ish");

  assert.match(all.stdout, /INFO \(\d+\): ready\n/);
  const lines = some.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  assert.ok(lines.length > 0);
  for (const line of lines)
    assert.partialDeepStrictEqual(line, { schemaVersion: 1, skill: "area" });
  assert.equal(none.stdout, "");
  assert.equal(wrong.code, 2);
  await daemon.stop();
});

for (const [strike, code, reason] of [
  ["throw x", 1, /"level":60.*"reason":"no such thing".*a bug ends the daemon/],
  ["exit 9", 9, /"level":60.*"code":9.*process\.exit/],
  ["signal x", 0, /"signal":"SIGTERM".*"stopping"[^]*"code":0.*"ended"/],
] as const) {
  test(`why the daemon ended is in its log after ${strike.split(" ")[0]} (B78)`, async () => {
    const from = logText().length;
    await using daemon = await DaemonProcess.start(workspace.dir, {
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${STRUCK}`,
      STRIKE: strike,
    });

    process.kill(daemon.pid, strike.startsWith("signal") ? "SIGTERM" : "SIGUSR2");
    await daemon.ended;

    assert.equal(daemon.exitCode, code);
    assert.match(logText().slice(from), reason);
  });
}

test("a log that takes no lines stops nothing, and the status says so (B79, T11)", async () => {
  const file = path.join(workspace.dir, "data/run/hone.log");
  const before = readFileSync(file);
  await run("stop");
  rmSync(file);
  symlinkSync("/dev/full", file);
  await using daemon = await DaemonProcess.start(workspace.dir);

  const { value } = await daemon.client.call({ skill: "area", input: { width: 2, height: 2 } });
  const status = await daemon.client.status();

  assert.equal(value, 4);
  assert.match(
    (status["problems"] as string[]).join(),
    /the log takes no lines, \d+ are lost: ENOSPC/,
  );
  assert.equal(await daemon.stop(), 0);
  rmSync(file);
  writeFileSync(file, before);
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let look = 0; look < 800; look += 1) {
    if (await holds()) return;
    await pause(25);
  }
  assert.fail("it never came about");
}
