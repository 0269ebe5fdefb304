import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { follow } from "../../src/daemon/follow.ts";
import { improveOne } from "../../src/daemon/repairs/improving.ts";
import { startImprover } from "../../src/daemon/repairs/improver.ts";
import { startWorkers } from "../../src/daemon/workers.ts";
import { takeBack } from "../../src/watching.ts";
import { DaemonProcess } from "../support/daemon.ts";
import { TestWorkspace } from "../support/workspace.ts";
import { inject, type Fault } from "./fault.ts";
import {
  assertClear,
  assertSentence,
  assertServesTheHead,
  assertSound,
  countsOf,
} from "./invariants.ts";
import { Person } from "./person.ts";
import { INPUT, RIGHT } from "./site.ts";
import { aSmallDisk, readOnly, type SmallDisk } from "./small-disk.ts";
import { templates } from "./templates.ts";

type Place = {
  readonly disk: SmallDisk;
  readonly workspace: TestWorkspace;
  readonly person: Person;
};

const MEGABYTES = 48;

/** How much is left of the disk, in kilobytes: git and the ledger meet its end at other steps. */
const LEFT = [0, 24, 64, 160] as const;

const inARelease: readonly Fault[] = LEFT.map((kilobytes) => ({
  name: `the disk has ${kilobytes} kB left in a release`,
  strikes: "release: objects, refs and ledger",
  holds: async (t) =>
    await onADisk(t, "fallen", async (place) => await releaseHolds(place, kilobytes)),
}));

const others: readonly Fault[] = [
  {
    name: "the disk is full in a live run",
    strikes: "live run: ledger",
    holds: async (t) => await onADisk(t, "released", liveRunHolds),
  },
  {
    name: "the disk is full in a rollback",
    strikes: "rollback: objects, refs and ledger",
    holds: async (t) => await onADisk(t, "released", rollbackHolds),
  },
  {
    name: "the disk is full in an adoption",
    strikes: "adoption: objects and refs",
    holds: async (t) => await onADisk(t, "released", adoptionHolds),
  },
  {
    name: "the disk is full in a publication",
    strikes: "publication: the person's checkout",
    holds: async (t) => await onADisk(t, "released", publicationHolds),
  },
  {
    name: "the disk is full while the queue and the improver work",
    strikes: "workers and improver: ledger",
    holds: async (t) => await onADisk(t, "fallen", workersHold),
  },
  {
    name: "the disk is full when hone starts",
    strikes: "start: ledger and lock",
    holds: async (t) => await onADisk(t, "released", startHolds),
  },
  {
    name: "the disk is full under a daemon that logs",
    strikes: "daemon: log, ledger and all",
    holds: async (t) => await onADisk(t, "fallen", daemonHolds),
  },
  {
    name: "the folder of objects can only be read",
    strikes: "release: git objects",
    holds: async (t) =>
      await onADisk(t, "fallen", async (place) => await readOnlyHolds(t, place, ".git/objects")),
  },
  {
    name: "the folder of refs can only be read",
    strikes: "release: git refs",
    holds: async (t) =>
      await onADisk(t, "fallen", async (place) => await readOnlyHolds(t, place, ".git/refs")),
  },
  {
    name: "the folder of the ledger can only be read when hone starts",
    strikes: "start: data/run",
    holds: async (t) =>
      await onADisk(t, "released", async (place) => await readOnlyStartHolds(t, place)),
  },
];

export const faults = inject(import.meta.main, {
  kind: "disk",
  faults: [...inARelease, ...others],
});

/** A workspace that lies on a small disk, repository, ledger and all. */
async function onADisk(
  t: TestContext,
  of: "fallen" | "released",
  holds: (place: Place) => Promise<void>,
): Promise<void> {
  const { dir } = (await templates())[of];
  const disk = aSmallDisk(t, MEGABYTES);
  if (disk === null) return;
  const copy = path.join(disk.folder, "workspace");
  cpSync(dir, copy, { recursive: true, preserveTimestamps: true });
  const workspace = new TestWorkspace(copy);
  await holds({ disk, workspace, person: new Person(workspace) });
}

async function assertGoesOn(hone: OpenWorkspace, place: Place): Promise<void> {
  const answer = await hone.operations.call({ skill: "area1", input: INPUT, expect: RIGHT });
  assert.equal(answer["value"], RIGHT);
  await assertServesTheHead(hone, place, "area1");
  assertSound(place, { recovered: true });
}

/** The improvement is begun while there is room, and meets the end of it where it writes. */
async function releaseHolds(place: Place, kilobytes: number): Promise<void> {
  const { disk, workspace } = place;
  await using hone = await workspace.open();
  const [incident] = hone.house.store.incidents({ limit: 1 });
  assert.ok(incident !== undefined);
  const wish = { incident, failing: null, isAsked: true };
  {
    using _full = disk.fill(kilobytes * 1_024);
    const first = await improveOne(wish, hone).catch((error: Error) => error);
    if (first instanceof Error) assertClear(first);
    else assertSentence(first.reason);
    assertSound(place, { recovered: false });
  }
  await improveOne(wish, hone);
  assert.equal(hone.house.store.incident(incident.id)?.state, "repaired");
  const { released, rollbacks } = countsOf(workspace);
  assert.deepEqual([released, rollbacks], [1, 0]);
  await assertGoesOn(hone, place);
}

async function liveRunHolds(place: Place): Promise<void> {
  await using hone = await place.workspace.open();
  const ask = async (): Promise<unknown> =>
    await hone.operations
      .call({ skill: "area1", input: INPUT, expect: RIGHT })
      .catch((error: Error) => error);
  {
    using _full = place.disk.fill(0);
    const failed: Error[] = [];
    for (let run = 0; run < 200 && failed.length === 0; run += 1) {
      const answer = await ask();
      if (answer instanceof Error) failed.push(answer);
    }
    assert.equal(assertClear(failed[0]).code, "store-failed");
    const { problems } = (await hone.operations.status()) as { problems: string[] };
    assert.match(problems.join("\n"), /could not take .*full/);
    assertSound(place, { recovered: true });
  }
  await assertGoesOn(hone, place);
  assert.equal(countsOf(place.workspace)["incidents"], 1);
}

async function rollbackHolds(place: Place): Promise<void> {
  await using hone = await place.workspace.open();
  const { store } = hone.house;
  const [made] = store.releases({ limit: 1 });
  assert.ok(made !== undefined);
  const why = { reason: "did worse", by: "hone" };
  {
    using _full = place.disk.fill(8_192);
    const first = await takeBack(made, why, hone.house).catch((error: Error) => error);
    if (first instanceof Error) assertClear(first);
    assertSound(place, { recovered: false });
  }
  await hone.house.alone(async () => undefined);
  if (store.release(made.commit)?.state !== "rolled-back") await takeBack(made, why, hone.house);
  assert.equal(store.release(made.commit)?.state, "rolled-back");
  assert.equal(countsOf(place.workspace)["rollbacks"], 1);
  await assertServesTheHead(hone, place, "area1");
  assertSound(place, { recovered: true });
}

async function adoptionHolds(place: Place): Promise<void> {
  const { workspace, person, disk } = place;
  await using hone = await workspace.open();
  const theirs = person.commit({ "plan.md": "mine\n" });
  {
    using _full = disk.fill(0);
    await follow(hone);
    assertSound(place, { recovered: false });
  }
  await follow(hone);
  assert.equal(workspace.git("merge-base", theirs, "hone"), theirs);
  await assertGoesOn(hone, place);
}

async function publicationHolds(place: Place): Promise<void> {
  const { workspace, disk } = place;
  await using hone = await workspace.open();
  const { repository } = hone.house;
  for (const bytes of [0, 4_096, 12_288]) {
    using _full = disk.fill(bytes);
    const publication = await repository.publish().catch((error: Error) => error);
    if (publication instanceof Error) assertClear(publication);
    assertSound(place, { recovered: true });
  }
  const publication = await repository.publish();
  assert.ok(publication.status !== "blocked", JSON.stringify(publication));
  assert.equal(workspace.git("rev-parse", "main"), workspace.git("rev-parse", "hone"));
  await assertGoesOn(hone, place);
}

async function workersHold(place: Place): Promise<void> {
  await using hone = await place.workspace.open();
  await using workers = startWorkers(hone);
  await using improver = startImprover(hone);
  const { store } = hone.house;
  const tasks = Array.from({ length: 12 }, (_, n) => ({
    id: `queued-${n}`,
    skill: "area1",
    input: { width: 2, height: n },
    expectation: { kind: "value" as const, value: 2 * n },
    source: "cli" as const,
    createdAt: 1,
  }));
  for (const task of tasks) store.addTask(task);
  {
    using _full = place.disk.fill(0);
    workers.wake();
    improver.wake();
    await pause(2_500);
    assertSound(place, { recovered: false });
  }
  await until(() => store.countTasks().done === tasks.length);
  await until(() => store.incidents({ limit: 9 }).every(({ state }) => state === "repaired"));
  await assertGoesOn(hone, place);
}

async function until(holds: () => boolean): Promise<void> {
  for (let look = 0; look < 1_200; look += 1) {
    if (holds()) return;
    await pause(50);
  }
  assert.fail("it never came true");
}

async function startHolds(place: Place): Promise<void> {
  {
    using _full = place.disk.fill(0);
    const first = await place.workspace.open().catch((error: Error) => error);
    if (first instanceof Error) assert.equal(assertClear(first).code, "store-failed");
    else await first[Symbol.asyncDispose]();
  }
  await using hone = await place.workspace.open();
  await assertGoesOn(hone, place);
}

async function daemonHolds(place: Place): Promise<void> {
  const { workspace, disk } = place;
  workspace.write({ "hone.yaml": "publish: auto\nlogLevel: debug\nimprove: { backoffMs: 200 }\n" });
  await using daemon = await DaemonProcess.start(workspace.dir);
  const { client } = daemon;
  {
    using _full = disk.fill(0);
    // A trouble is over when the ledger takes something again, as it may into room that it had.
    const told = new Set<string>();
    for (let run = 0; run < 20; run += 1) {
      await client.call({ skill: "area1", input: INPUT, expect: RIGHT }).catch(assertClear);
      for (const problem of ((await client.status()) as { problems: string[] }).problems) {
        told.add(problem);
      }
    }
    assert.match([...told].join("\n"), /could not take/);
    process.kill(daemon.pid, 0);
  }
  let open: readonly object[] = [{}];
  for (let look = 0; look < 400 && open.length > 0; look += 1) {
    await pause(100);
    open = ((await client.status()) as { incidents: object[] }).incidents;
  }
  assert.deepEqual(open, [], "every incident is over");
  assert.equal((await client.call({ skill: "area1", input: INPUT }))["value"], RIGHT);
  process.kill(daemon.pid, 0);
  assert.equal(await daemon.stop(), 0);
  assertSound(place, { recovered: true });
}

async function readOnlyHolds(t: TestContext, place: Place, folder: string): Promise<void> {
  const { workspace } = place;
  await using hone = await workspace.open();
  const [incident] = hone.house.store.incidents({ limit: 1 });
  assert.ok(incident !== undefined);
  const wish = { incident, failing: null, isAsked: true };
  {
    using mounted = readOnly(t, path.join(workspace.dir, folder));
    if (mounted === null) return;
    const first = await improveOne(wish, hone);
    assert.equal(first.result, "infra-error");
    assertSentence(first.reason);
    assertSound(place, { recovered: true });
  }
  const second = await improveOne(wish, hone);
  assert.equal(second.result, "released", second.reason);
  await assertGoesOn(hone, place);
}

async function readOnlyStartHolds(t: TestContext, place: Place): Promise<void> {
  {
    using mounted = readOnly(t, path.join(place.workspace.dir, "data/run"));
    if (mounted === null) return;
    const first = await place.workspace.open().catch((error: Error) => error);
    assert.equal(assertClear(first).code, "store-failed");
  }
  await using hone = await place.workspace.open();
  await assertGoesOn(hone, place);
}
