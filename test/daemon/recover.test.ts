import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { openStore } from "../../src/adapters/sqlite/sqlite-store.ts";
import { recover } from "../../src/daemon/recover.ts";
import { HoneError } from "../../src/domain/errors.ts";
import type { Candidate } from "../../src/domain/candidate.ts";
import type { House } from "../../src/ports/house.ts";
import type { Store } from "../../src/ports/store.ts";
import {
  aCandidateRecord,
  aGroup,
  anIncident,
  aRelease,
  aRun,
  aTask,
  temporaryFolder,
} from "../support/ledger.ts";

test("a pending release whose commit is part of hone was made", async (t) => {
  const { store, house, told } = aHouse(t, ["c1"]);
  withIncident(store);
  store.addPendingRelease(aRelease());

  await recover({ house });

  assert.equal(store.release("c1")?.state, "watching");
  assert.equal(store.incident("incident-1")?.state, "repaired");
  assert.equal(store.candidate("candidate-1")?.state, "released");
  assert.deepEqual(told, ["release.recovered"]);
});

test("a pending release whose commit is not part of hone was not made", async (t) => {
  const { store, house } = aHouse(t, []);
  withIncident(store);
  store.addPendingRelease(aRelease());

  await recover({ house });

  assert.equal(store.release("c1")?.state, "aborted");
  assert.equal(store.incident("incident-1")?.state, "open");
  assert.equal(store.candidate("candidate-1")?.state, "spare");
});

test("a pending rollback that was made refuses the candidate of what it took back", async (t) => {
  const { store, house } = aHouse(t, ["c1", "c2"]);
  withIncident(store, "released");
  store.addPendingRelease(aRelease());
  store.setRelease("c1", "watching", "made");
  store.addPendingRelease(aRelease({ commit: "c2", reverts: "c1", candidateId: null }));

  await recover({ house });

  assert.equal(store.release("c1")?.state, "rolled-back");
  assert.equal(store.release("c2")?.state, "kept");
  assert.equal(store.candidate("candidate-1")?.state, "rejected");
  assert.deepEqual(store.refusedDigests(aGroup().signature), ["digest-1"]);
  assert.equal(store.incident("incident-1")?.state, "open");
});

test("a pending release whose commit is gone was not made", async (t) => {
  const { store, house } = aHouse(t, []);
  store.addPendingRelease(aRelease({ commit: "gone" }));

  await recover({ house });

  assert.equal(store.release("gone")?.state, "aborted");
});

test("where git cannot say whether a release was made, it stays pending", async (t) => {
  const { store, house } = aHouse(t, []);
  store.addPendingRelease(aRelease({ commit: "unclear" }));

  await assert.rejects(recover({ house }), { code: "git-failed" });

  assert.equal(store.release("unclear")?.state, "pending");
});

test("what was under way is open and queued again", async (t) => {
  const { store, house, told } = aHouse(t, []);
  withIncident(store);
  store.setIncident("incident-1", { state: "improving" });
  store.addTask(aTask({ id: "t1" }));
  store.claimTask();

  await recover({ house });

  assert.equal(store.incident("incident-1")?.state, "open");
  assert.deepEqual([store.countTasks().queued, store.countTasks().running], [1, 0]);
  assert.deepEqual(told, ["tasks.requeued"]);
});

test("locks that were removed are told", async (t) => {
  const { house, told } = aHouse(t, [], ["index.lock"]);

  await recover({ house });

  assert.deepEqual(told, ["locks.cleared"]);
});

test("twice is as good as once", async (t) => {
  const { store, house } = aHouse(t, ["c1"]);
  withIncident(store);
  store.addPendingRelease(aRelease());

  await recover({ house });
  await recover({ house });

  assert.equal(store.release("c1")?.state, "watching");
});

function withIncident(store: Store, state: "spare" | "released" = "spare"): void {
  const run = aRun();
  store.addRun(run);
  store.joinIncident(anIncident(), run.id);
  const candidate: Partial<Candidate> = {};
  store.addGroup(aGroup(), [aCandidateRecord(candidate, { state })]);
}

/** A house with a real ledger, and a history that has the commits named. */
function aHouse(
  t: Parameters<typeof temporaryFolder>[0],
  commits: readonly string[],
  locks: readonly string[] = [],
): { readonly store: Store; readonly house: House; readonly told: string[] } {
  const store = openStore(path.join(temporaryFolder(t), "hone.db"));
  t.after(() => store[Symbol.dispose]());
  const told: string[] = [];
  const repository = {
    clearStaleLocks: async () => locks,
    head: async () => "head",
    info: async (commit: string) => {
      if (commit === "gone") throw new HoneError("not-found", "there is no commit gone");
    },
    isAncestor: async (commit: string) => {
      if (commit === "unclear") throw new HoneError("git-failed", "git could not say");
      return commits.includes(commit);
    },
  };
  const tell = (kind: string): void => void told.push(kind);
  return { store, told, house: { store, repository, tell } as unknown as House };
}
