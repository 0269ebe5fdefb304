import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../src/serve/http/client.ts";
import { DaemonProcess, descendantsOf, survivors } from "../support/daemon.ts";
import { hone } from "../support/hone.ts";
import { inject, type Fault } from "./fault.ts";
import { assertClear, assertSentence, assertSound, withLedger } from "./invariants.ts";
import { aCopyOf, INPUT, RIGHT } from "./site.ts";
import { templates } from "./templates.ts";

const CONFIG = "publish: auto\nlogLevel: info\nimprove: { automatic: false }\n";

type Place = ReturnType<typeof aCopyOf>;

export const faults = inject(import.meta.main, {
  kind: "daemon",
  faults: [
    fault("the settings become unreadable", "hone.yaml", settingsHold),
    fault("the socket is deleted", "data/run/hone.sock", socketHolds),
    fault("a second daemon is started", "the start of another daemon", secondHolds),
    fault("a second daemon is started after the lock was deleted", "data/run/hone.lock", lockHolds),
    fault("the daemon stands still (SIGSTOP)", "a command's first question", stoppedHolds),
    fault("the daemon is killed under queued work", "the queue", killedHolds),
    fault("all that the daemon has begun is killed", "guests, editor and git", childrenHold),
    fault("the daemon is asked to end in the middle of an improvement", "SIGTERM", endedHolds),
    fault("a client goes away in the middle of a call", "the socket's other end", clientHolds),
  ],
});

function fault(
  name: string,
  strikes: string,
  holds: (place: Place, daemon: DaemonProcess) => Promise<void>,
): Fault {
  return {
    name,
    strikes: `daemon: ${strikes}`,
    holds: async (t: TestContext) => {
      const place = aCopyOf(t, (await templates()).fallen);
      place.workspace.write({ "hone.yaml": CONFIG });
      await using daemon = await DaemonProcess.start(place.workspace.dir);
      await holds(place, daemon);
      await using again = isAlive(daemon) ? null : await DaemonProcess.start(place.workspace.dir);
      await assertRepairs(again ?? daemon);
      assertSound(place, { recovered: true });
      const begun = descendantsOf((again ?? daemon).pid);
      assert.equal(await (again ?? daemon).stop(), 0);
      assert.deepEqual(await survivors(begun, 10_000), [], "processes that outlive the daemon");
      assert.ok(!existsSync(socketOf(place)), "the socket is gone with it");
    },
  };
}

function socketOf({ workspace }: Place): string {
  return path.join(workspace.dir, "data/run/hone.sock");
}

function isAlive({ pid }: DaemonProcess): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function call({ client }: DaemonProcess): Promise<unknown> {
  return (await client.call({ skill: "area1", input: INPUT, expect: RIGHT }))["value"];
}

async function assertRepairs(daemon: DaemonProcess): Promise<void> {
  const { incidents } = (await daemon.client.status()) as { incidents: object[] };
  if (incidents.length > 0) {
    const { result, reason } = await daemon.client.improve({ skill: "area1" });
    assert.equal(result, "released", String(reason));
  }
  assert.equal(await call(daemon), RIGHT);
}

async function settingsHold({ workspace }: Place, daemon: DaemonProcess): Promise<void> {
  workspace.write({ "hone.yaml": "publish: [\n  nothing: {" });
  await call(daemon);
  const told = await hone(["status", "--json"], { cwd: workspace.dir });
  assert.equal(told.code, 0, told.stderr);
  await daemon.stop();
  const refused = await hone(["run"], { cwd: workspace.dir });
  assert.equal(refused.code, 2, refused.stderr);
  const [sentence = ""] = refused.stderr.split("\n");
  assertSentence(sentence);
  assert.match(sentence, /hone\.yaml/);
  workspace.write({ "hone.yaml": CONFIG });
}

async function socketHolds(place: Place, daemon: DaemonProcess): Promise<void> {
  rmSync(socketOf(place));
  for (let look = 0; look < 200 && !existsSync(socketOf(place)); look += 1) await pause(50);
  const client = await connect(socketOf(place));
  assert.ok(client !== null, "it is reached again");
  await using _client = client;
  const { head } = await client.status();
  assert.equal(head, place.workspace.git("rev-parse", "hone"));
  await call(daemon);
}

/** Starts another daemon, which has to say in one sentence why it does not. */
async function assertRefused({ workspace }: Place): Promise<void> {
  const second = await hone(["run"], { cwd: workspace.dir });
  assert.equal(second.code, 75, second.stderr);
  const [sentence = ""] = second.stderr.split("\n");
  assertSentence(sentence);
}

async function secondHolds(place: Place, daemon: DaemonProcess): Promise<void> {
  await assertRefused(place);
  await call(daemon);
}

async function lockHolds(place: Place, daemon: DaemonProcess): Promise<void> {
  const slow = Array.from({ length: 20 }, (_, n) => ({
    id: `queued-${n}`,
    skill: "area1",
    input: { width: 2, height: n },
    expect: 2 * n,
  }));
  rmSync(path.join(place.workspace.dir, "data/run/hone.lock"));
  await daemon.client.submit({ tasks: slow });
  await assertRefused(place);
  await ended(place, slow.length);
  await call(daemon);
}

async function ended({ workspace }: Place, count: number): Promise<void> {
  for (let look = 0; look < 400; look += 1) {
    const done = withLedger(workspace, (db) =>
      db
        .prepare("SELECT count(*) FROM tasks WHERE id LIKE 'queued-%' AND state = 'done'")
        .pluck()
        .get(),
    );
    if (done === count) return;
    await pause(50);
  }
  assert.fail("the queue was never done");
}

async function stoppedHolds(place: Place, daemon: DaemonProcess): Promise<void> {
  process.kill(daemon.pid, "SIGSTOP");
  try {
    const refused = await connect(socketOf(place)).catch((error: Error) => error);
    assert.equal(assertClear(refused).code, "busy");
  } finally {
    process.kill(daemon.pid, "SIGCONT");
  }
  await call(daemon);
}

async function killedHolds(place: Place, daemon: DaemonProcess): Promise<void> {
  const tasks = Array.from({ length: 30 }, (_, n) => ({
    id: `queued-${n}`,
    skill: "area1",
    input: { width: 2, height: n },
    expect: 2 * n,
  }));
  await daemon.client.submit({ tasks });
  const begun = await daemon.kill();
  assert.deepEqual(await survivors(begun, 10_000), [], "processes that outlive a killed daemon");
  assertSound(place, { recovered: false });
  await using again = await DaemonProcess.start(place.workspace.dir);
  await ended(place, tasks.length);
  assertSound(place, { recovered: true });
  await again.stop();
}

async function childrenHold(_: Place, daemon: DaemonProcess): Promise<void> {
  const improving = daemon.client.improve({ skill: "area1" }).catch(assertClear);
  for (let wave = 0; wave < 5; wave += 1) {
    await pause(100);
    for (const pid of descendantsOf(daemon.pid)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }
  }
  await improving;
  process.kill(daemon.pid, 0);
}

async function endedHolds(_: Place, daemon: DaemonProcess): Promise<void> {
  const improving = daemon.client.improve({ skill: "area1" }).catch((error: Error) => error);
  await pause(400);
  const begun = descendantsOf(daemon.pid);
  assert.equal(await daemon.stop(), 0);
  await improving;
  assert.deepEqual(await survivors(begun, 10_000), []);
}

async function clientHolds(place: Place, daemon: DaemonProcess): Promise<void> {
  const client = await connect(socketOf(place));
  assert.ok(client !== null);
  const asked = client.improve({ skill: "area1" }).catch(() => null);
  await pause(200);
  await client[Symbol.asyncDispose]();
  await asked;
  for (let look = 0; look < 300; look += 1) {
    const { incidents } = (await daemon.client.status()) as { incidents: { state: string }[] };
    if (incidents.every(({ state }) => state !== "improving")) break;
    await pause(100);
  }
  await call(daemon);
}
