import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, utimesSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { follow } from "../../src/daemon/follow.ts";
import { improveOne } from "../../src/daemon/repairs/improving.ts";
import { takeBack } from "../../src/watching.ts";
import { descendantsOf, survivors } from "../support/daemon.ts";
import type { TestWorkspace } from "../support/workspace.ts";
import { inject, type Fault } from "./fault.ts";
import { GitPlan, type GitFault } from "./git-wrapper.ts";
import { assertServesTheHead, assertSound, countsOf, withLedger } from "./invariants.ts";
import type { Person } from "./person.ts";
import { aCopyOf, INPUT, RIGHT } from "./site.ts";
import { templates } from "./templates.ts";

const SCRIPT = path.join(import.meta.dirname, "dying.ts");

/** The steps of a release and of what leads to it, in their order; `git` steps name their call. */
const RELEASE: readonly string[] = [
  "after store.setIncident",
  "before store.addGroup",
  "after store.addGroup",
  "before repository.prepare",
  "git unpack-objects.1 did-takes-hone",
  "before store.addPendingRelease",
  "after store.addPendingRelease",
  "git update-ref.1 torn-takes-hone",
  "git update-ref.1 did-takes-hone",
  "after repository.advance",
  "after store.promote",
];

const ROLLBACK: readonly string[] = [
  "after repository.prepare",
  "after store.addPendingRelease",
  "git update-ref.1 takes-hone",
  "git update-ref.1 torn-takes-hone",
  "git update-ref.1 did-takes-hone",
  "after repository.advance",
  "after store.promote",
];

const ADOPTION: readonly string[] = [
  "git update-ref.1 takes-hone",
  "git update-ref.1 torn-takes-hone",
  "git update-ref.1 did-takes-hone",
  "after repository.adopt",
];

const PUBLICATION: readonly string[] = [
  "before repository.publish",
  "git merge.1 takes-hone",
  "git merge.1 did-takes-hone",
  "after repository.publish",
];

const QUEUE: readonly string[] = [
  "after store.claimTask",
  "after sandbox.execute",
  "before store.addRun",
  "after store.addRun",
  "after store.joinIncident",
];

type Place = { readonly workspace: TestWorkspace; readonly person: Person };

export const faults = inject(import.meta.main, {
  kind: "kill -9",
  faults: [
    ...faultsOf("release", RELEASE, releaseHolds),
    ...faultsOf("rollback", ROLLBACK, rollbackHolds),
    ...faultsOf("adoption", ADOPTION, adoptionHolds),
    ...faultsOf("publication", PUBLICATION, publicationHolds),
    ...faultsOf("queue", QUEUE, queueHolds),
  ],
});

function faultsOf(
  operation: string,
  steps: readonly string[],
  holds: (step: string, t: TestContext) => Promise<void>,
): readonly Fault[] {
  return steps.map((step) => ({
    name: `hone is killed in the ${operation}, ${step}`,
    strikes: `${operation}: ${step}`,
    holds: async (t) => await holds(step, t),
  }));
}

/** Runs the operation in a process that dies at the step; nothing that it began outlives it. */
async function dieIn({ workspace }: Place, operation: string, step: string): Promise<void> {
  const [, call = "", how = ""] = step.split(" ");
  using _plan = new GitPlan(
    workspace.dir,
    step.startsWith("git ") ? { [call]: how as GitFault } : {},
  );
  const child = spawn(process.execPath, [SCRIPT, workspace.dir, operation, step], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const begun = new Set<number>();
  const look = setInterval(() => {
    for (const pid of descendantsOf(child.pid ?? 0)) begun.add(pid);
  }, 20);
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  clearInterval(look);
  assert.equal(signal, "SIGKILL", `it died at the step, code ${code}: ${said}`);
  assert.deepEqual(await survivors([...begun], 10_000), [], "processes that outlive hone");
  age(workspace);
}

/** Instead of waiting until the locks that a dead git left are old. */
function age({ dir }: TestWorkspace): void {
  const at = Date.now() / 1_000 - 60;
  for (const name of ["refs/heads/hone.lock", "refs/notes/hone.lock", "packed-refs.lock"]) {
    const file = path.join(dir, ".git", name);
    if (existsSync(file)) utimesSync(file, at, at);
  }
}

async function releaseHolds(step: string, t: TestContext): Promise<void> {
  const place = aCopyOf(t, (await templates()).fallen);
  await dieIn(place, "release", step);
  assertSound(place, { recovered: false });

  await using hone = await place.workspace.open();

  assertSound(place, { recovered: true });
  await assertServesTheHead(hone, place, "area1");
  const [incident] = hone.house.store.incidents({ limit: 1 });
  assert.ok(incident !== undefined);
  if (incident.state !== "repaired") {
    assert.equal(incident.state, "open");
    const settled = await improveOne({ incident, failing: null, isAsked: true }, hone);
    assert.equal(settled.result, "released", settled.reason);
  }
  await assertNextIsRight(hone, place);
  assert.deepEqual(
    [countsOf(place.workspace)["released"], countsOf(place.workspace)["rollbacks"]],
    [1, 0],
  );
}

async function assertNextIsRight(hone: OpenWorkspace, place: Place): Promise<void> {
  const answer = await hone.operations.call({ skill: "area1", input: INPUT, expect: RIGHT });
  assert.equal(answer["value"], RIGHT);
  await assertServesTheHead(hone, place, "area1");
  assertSound(place, { recovered: true });
}

async function rollbackHolds(step: string, t: TestContext): Promise<void> {
  const place = aCopyOf(t, (await templates()).released);
  await dieIn(place, "rollback", step);
  assertSound(place, { recovered: false });

  await using hone = await place.workspace.open();

  assertSound(place, { recovered: true });
  const { store } = hone.house;
  const first = store.releases({ limit: 9 }).find(({ reverts }) => reverts === null);
  assert.ok(first !== undefined);
  if (first.state !== "rolled-back") {
    assert.equal(first.state, "watching");
    await takeBack(first, { reason: "did worse", by: "hone" }, hone.house);
  }
  assert.equal(store.release(first.commit)?.state, "rolled-back");
  assert.equal(store.candidate(first.candidateId ?? "")?.state, "rejected");
  assert.equal(countsOf(place.workspace)["rollbacks"], 1);
  await assertServesTheHead(hone, place, "area1");
  assertSound(place, { recovered: true });
}

async function adoptionHolds(step: string, t: TestContext): Promise<void> {
  const place = aCopyOf(t, (await templates()).fallen);
  const theirs = place.person.commit({ "skills/area1/notes.md": "mine\n" });
  await dieIn(place, "follow", step);
  assertSound(place, { recovered: false });

  await using hone = await place.workspace.open();
  await follow(hone);

  assert.equal(place.workspace.git("rev-parse", "hone"), theirs);
  assert.equal(place.workspace.git("rev-parse", "main"), theirs);
  await assertServesTheHead(hone, place, "area1");
  assertSound(place, { recovered: true });
}

async function publicationHolds(step: string, t: TestContext): Promise<void> {
  const place = aCopyOf(t, (await templates()).released);
  await dieIn(place, "follow", step);
  assertSound(place, { recovered: false });

  await using hone = await place.workspace.open();
  await follow(hone);

  const { git } = { git: (...words: readonly string[]) => place.workspace.git(...words) };
  assert.equal(git("rev-parse", "main"), git("rev-parse", "hone"));
  await assertNextIsRight(hone, place);
}

async function queueHolds(step: string, t: TestContext): Promise<void> {
  const place = aCopyOf(t, (await templates()).fallen);
  {
    await using hone = await place.workspace.open();
    for (let n = 0; n < 3; n += 1) {
      hone.house.store.addTask({
        id: `queued-${n}`,
        skill: "area1",
        input: { width: 2, height: n },
        expectation: { kind: "value", value: 2 * n },
        source: "cli",
        createdAt: 1,
      });
    }
  }
  await dieIn(place, "queue", step);
  assertSound(place, { recovered: false });

  await using hone = await place.workspace.open();
  await hone.queued.listener();

  assertSound(place, { recovered: true });
  const ended = withLedger(place.workspace, (db) =>
    db.prepare("SELECT id, state FROM tasks WHERE id LIKE 'queued-%' ORDER BY id").raw().all(),
  );
  assert.deepEqual(ended, [
    ["queued-0", "done"],
    ["queued-1", "done"],
    ["queued-2", "done"],
  ]);
}
