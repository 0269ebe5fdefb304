import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { childrenOf } from "../support/child-processes.ts";
import { descendantsOf, survivors } from "../support/daemon.ts";
import { aFolder, hone, type Ended } from "../support/hone.ts";

type Row = Readonly<Record<string, unknown>>;

type Told = {
  readonly schemaVersion: number;
  readonly ok: boolean;
  readonly steps: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly detail: string;
  }[];
  readonly releases: readonly Row[];
  readonly tasks: { readonly sent: number; readonly done: number };
  readonly log: string;
  readonly walls: { readonly repairs: number; readonly inContainers: number };
};

const STEPS = [
  "serve",
  "moved",
  "limited",
  "go on",
  "refusal",
  "adoption",
  "go on again",
  "bad release",
  "rollback",
  "go on in the end",
];

test("the demo comes to its end: repairs, a refusal, a rollback, and the history of it", async (t) => {
  const { ended, left } = await demo(t);

  assert.equal(ended.code, 0, ended.stdout + ended.stderr);
  const told = JSON.parse(ended.stdout) as Told;
  const unmet = told.steps.filter(({ ok }) => !ok);
  assert.deepEqual(unmet, []);
  assert.deepEqual(
    told.steps.map(({ name }) => name),
    STEPS,
  );
  assert.deepEqual([told.schemaVersion, told.ok], [1, true]);
  assert.ok(told.tasks.sent > 50, "there was traffic");
  assert.equal(told.tasks.done, told.tasks.sent, "no task is lost");
  assert.equal(told.releases.length, 6);
  assert.equal(told.walls.repairs, 3);
  const hasEngine = process.env["HONE_REQUIRE_DOCKER"] === "1";
  if (hasEngine) assert.equal(told.walls.inContainers, 3);
  assert.match(told.log, /hone: skill\(quote-price\): roll back .*v3/);
  assert.match(told.log, /A Person: quote-price: one piece at least/);
  assert.match(told.log, /hone: skill\(quote-price\): a request that is answered 429/);
  assert.match(told.log, /hone: skill\(quote-price\): \/v1\/prices\/\w+ moved to \/v2/);
  assert.deepEqual(left, NOTHING);
});

test("what does not come to pass ends the demo with a sentence, and leaves nothing behind", async (t) => {
  const { ended, left } = await demo(t, (child) => {
    void aDaemonOf(child).then((daemon) => process.kill(daemon, "SIGKILL"));
  });

  assert.equal(ended.code, 1, ended.stderr);
  const { ok, steps } = JSON.parse(ended.stdout) as Told;
  assert.equal(ok, false);
  assert.match(steps.at(-1)?.detail ?? "", /daemon/);
  assert.deepEqual(left, NOTHING);
});

test("Ctrl-C ends the demo in order", async (t) => {
  const { ended, left } = await demo(t, (child) => {
    void aDaemonOf(child).then(() => child.kill("SIGINT"));
  });

  assert.equal(ended.code, 130, ended.stderr);
  assert.deepEqual(left, NOTHING);
});

test("a second Ctrl-C ends it at once, and still leaves nothing behind", async (t) => {
  const { ended, left } = await demo(t, (child) => {
    void aDaemonOf(child).then(async () => {
      child.kill("SIGINT");
      await pause(20);
      child.kill("SIGINT");
    });
  });

  assert.equal(ended.code, 130, ended.stderr);
  assert.deepEqual(left, NOTHING);
});

type Left = { readonly folders: readonly string[]; readonly processes: readonly string[] };

const NOTHING: Left = { folders: [], processes: [] };

/** Guests of a daemon that was killed take a moment to see that it is gone. */
const PATIENCE_MS = 5_000;

/** Runs the demo without a home or settings, with temporary files in a folder of their own. */
async function demo(
  t: TestContext,
  onSpawn: (child: ChildProcess) => void = () => undefined,
): Promise<{ readonly ended: Ended; readonly left: Left }> {
  const dir = await aFolder(t);
  const begun = new Set<number>();
  let looking: NodeJS.Timeout | undefined;
  const ended = await hone(["demo", "--json"], {
    cwd: dir,
    env: { HOME: "/nonexistent", TMPDIR: dir },
    onSpawn(child) {
      const look = (): void => descendantsOf(child.pid ?? 0).forEach((pid) => begun.add(pid));
      looking = setInterval(look, 100);
      onSpawn(child);
    },
  });
  clearInterval(looking);
  assert.ok(begun.size > 2, "the demo's processes were seen");
  const folders = readdirSync(dir).filter((name) => name.startsWith("hone-"));
  return { ended, left: { folders, processes: await survivors([...begun], PATIENCE_MS) } };
}

/** A process may end while one looks. */
function commandLineOf(pid: string | number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** The demo's daemon, once it runs. */
async function aDaemonOf({ pid = 0 }: ChildProcess): Promise<number> {
  for (let looks = 0; looks < 1_000; looks += 1) {
    const daemon = childrenOf(pid).find((child) => / run --json /.test(commandLineOf(child)));
    const [, dir] = daemon === undefined ? [] : commandLineOf(daemon).split(" --workspace ");
    const isUp = dir !== undefined && existsSync(path.join(dir.trim(), "data/run/hone.sock"));
    // A moment later it has guests, and tasks are on their way.
    if (daemon !== undefined && isUp) return await pause(1_000, daemon);
    await pause(20);
  }
  return assert.fail("the demo starts no daemon");
}
