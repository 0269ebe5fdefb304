import assert from "node:assert/strict";
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import Database from "better-sqlite3";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { improveOne } from "../../src/daemon/repairs/improving.ts";
import { takeBack } from "../../src/watching.ts";
import type { TestWorkspace } from "../support/workspace.ts";
import { inject, type Fault } from "./fault.ts";
import { assertClear, assertServesTheHead, assertSound } from "./invariants.ts";
import { aCopyOf, INPUT, RIGHT, WRONG } from "./site.ts";
import { templates } from "./templates.ts";

/** What befalls the ledger's files while hone is not there. */
const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  "is lost, with its WAL": (file) => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
  },
  "has no sound header": (file) => overwrite(file, 0, 4_096),
  "has a page of garbage": (file) => overwrite(file, 4_096 * 3, 4_096),
  "is cut in half": (file) => truncateSync(file, statSync(file).size / 2),
  "is empty": (file) => truncateSync(file, 0),
  "is another program's text": (file) => {
    truncateSync(file, 0);
    overwrite(file, 0, 20_000);
  },
};

const damages: readonly Fault[] = Object.entries(DAMAGES).map(([what, damage]) => ({
  name: `the ledger ${what}`,
  strikes: "start: data/run/hone.db",
  holds: async (t) => await damageHolds(t, damage),
}));

export const faults = inject(import.meta.main, {
  kind: "ledger's file",
  faults: [
    ...damages,
    {
      name: "the WAL is cut in half after a kill",
      strikes: "start: data/run/hone.db-wal",
      holds: async (t) => await walHolds(t, (wal) => truncateSync(wal, statSync(wal).size / 2)),
    },
    {
      name: "the WAL is lost after a kill",
      strikes: "start: data/run/hone.db-wal",
      holds: async (t) => await walHolds(t, (wal) => rmSync(wal)),
    },
    {
      name: "a backup from before the last release is put back",
      strikes: "start: an older ledger",
      holds: backupHolds,
    },
    {
      name: "a repair that was taken back is forgotten with the ledger",
      strikes: "start: what was refused",
      holds: refusalsHold,
    },
    {
      name: "the ledger is deleted under a running hone",
      strikes: "live run: data/run/hone.db is gone",
      holds: deletedHolds,
    },
    {
      name: "another process holds the ledger's write lock",
      strikes: "live run: SQLITE_BUSY",
      holds: busyHolds,
    },
    {
      name: "a second hone is started on the workspace",
      strikes: "start: the lock",
      holds: secondHolds,
    },
  ],
});

function fileOf({ dir }: TestWorkspace): string {
  return path.join(dir, "data/run/hone.db");
}

function overwrite(file: string, at: number, bytes: number): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(bytes, "garbage "), 0, bytes, at);
  closeSync(descriptor);
}

async function call(hone: OpenWorkspace): Promise<unknown> {
  const answer = await hone.operations.call({ skill: "area1", input: INPUT, expect: RIGHT });
  return answer["value"];
}

/** Whatever the ledger was, what is served and what git has is what the new one tells of. */
async function damageHolds(t: TestContext, damage: (file: string) => void): Promise<void> {
  const place = aCopyOf(t, (await templates()).released);
  const head = place.workspace.git("rev-parse", "hone");
  damage(fileOf(place.workspace));

  await using hone = await place.workspace.open();

  assert.equal(await call(hone), RIGHT);
  assert.equal(place.workspace.git("rev-parse", "hone"), head);
  assert.equal(hone.house.store.release(head)?.state, "watching");
  const { problems } = (await hone.operations.status()) as { problems: string[] };
  assert.match(problems.join("\n"), /rebuilt from git with 1 release/);
  await assertServesTheHead(hone, place, "area1");
  assertSound(place, { recovered: true });
}

async function walHolds(t: TestContext, damage: (wal: string) => void): Promise<void> {
  const place = aCopyOf(t, (await templates()).fallen);
  const beside = aCopyOf(t, place.workspace);
  {
    await using hone = await place.workspace.open();
    const [incident] = hone.house.store.incidents({ limit: 1 });
    assert.ok(incident !== undefined);
    await improveOne({ incident, failing: null, isAsked: true }, hone);
    // The files as a kill leaves them: a closed ledger has no WAL.
    for (const suffix of ["", "-wal"]) {
      copyFileSync(fileOf(place.workspace) + suffix, fileOf(beside.workspace) + suffix);
    }
  }
  for (const suffix of ["", "-wal"]) {
    copyFileSync(fileOf(beside.workspace) + suffix, fileOf(place.workspace) + suffix);
  }
  damage(`${fileOf(place.workspace)}-wal`);

  await using hone = await place.workspace.open();

  assert.equal(await call(hone), RIGHT);
  await assertServesTheHead(hone, place, "area1");
  assertSound(place, { recovered: true });
}

async function backupHolds(t: TestContext): Promise<void> {
  const { fallen, released } = await templates();
  const place = aCopyOf(t, released);
  DAMAGES["is lost, with its WAL"]?.(fileOf(place.workspace));
  copyFileSync(fileOf(fallen), fileOf(place.workspace));

  await using hone = await place.workspace.open();

  assert.equal(await call(hone), RIGHT);
  await assertServesTheHead(hone, place, "area1");
  assertSound(place, { recovered: true });
}

async function refusalsHold(t: TestContext): Promise<void> {
  const place = aCopyOf(t, (await templates()).released);
  let signature = "";
  {
    await using hone = await place.workspace.open();
    const [made] = hone.house.store.releases({ limit: 1 });
    assert.ok(made !== undefined);
    signature = hone.house.store.incident(made.incidentId ?? "")?.signature ?? "";
    await takeBack(made, { reason: "did worse", by: "hone" }, hone.house);
    assert.equal(hone.house.store.refusedDigests(signature).length, 1);
  }
  DAMAGES["is lost, with its WAL"]?.(fileOf(place.workspace));

  await using hone = await place.workspace.open();

  assert.equal(hone.house.store.refusedDigests(signature).length, 1);
  assert.equal(await call(hone), WRONG);
  const [incident] = hone.house.store.incidents({ limit: 1 });
  assert.ok(incident !== undefined);
  const settled = await improveOne({ incident, failing: null, isAsked: true }, hone);
  assert.notEqual(settled.result, "released", "what was taken back is not released again");
  assertSound(place, { recovered: true });
}

async function deletedHolds(t: TestContext): Promise<void> {
  const place = aCopyOf(t, (await templates()).released);
  {
    await using hone = await place.workspace.open();
    DAMAGES["is lost, with its WAL"]?.(fileOf(place.workspace));
    const first = await hone.operations
      .call({ skill: "area1", input: INPUT })
      .catch((error: Error) => error);
    if (first instanceof Error) assertClear(first);
    else assert.equal(first["value"], RIGHT);
  }
  await using hone = await place.workspace.open();
  assert.equal(await call(hone), RIGHT);
  await assertServesTheHead(hone, place, "area1");
  assertSound(place, { recovered: true });
}

async function busyHolds(t: TestContext): Promise<void> {
  const place = aCopyOf(t, (await templates()).released);
  await using hone = await place.workspace.open();
  const other = new Database(fileOf(place.workspace));
  other.exec("BEGIN IMMEDIATE");
  const first = await hone.operations
    .call({ skill: "area1", input: INPUT })
    .catch((error: Error) => error);
  assert.equal(assertClear(first).code, "store-failed");
  const { problems } = (await hone.operations.status()) as { problems: string[] };
  assert.match(problems.join("\n"), /the ledger could not take \w+: .*locked/);
  other.exec("ROLLBACK");
  other.close();
  assert.equal(await call(hone), RIGHT);
  const { problems: after } = (await hone.operations.status()) as { problems: string[] };
  assert.deepEqual(after, []);
  assertSound(place, { recovered: true });
}

async function secondHolds(t: TestContext): Promise<void> {
  const place = aCopyOf(t, (await templates()).released);
  await using hone = await place.workspace.open();
  const second = await place.workspace.open().catch((error: Error) => error);
  assert.equal(assertClear(second).code, "busy");
  assert.equal(await call(hone), RIGHT);
  assert.ok(existsSync(fileOf(place.workspace)));
  assert.deepEqual(
    readdirSync(path.dirname(fileOf(place.workspace))).filter((name) => name.includes("corrupt")),
    [],
  );
  assertSound(place, { recovered: true });
}
