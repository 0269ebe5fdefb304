import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import * as fc from "../support/property.ts";
import { HoneError } from "../../src/domain/errors.ts";
import type { Store } from "../../src/ports/store.ts";
import {
  aBirth,
  aCandidateRecord,
  aGroup,
  anIncident,
  aRelease,
  aRun,
  aTask,
  aTrace,
  scored,
} from "../support/ledger.ts";

/** Makes an empty store; `reopen` gives the same ledger as a new process would find it. */
export type StoreUnderTest = { readonly store: Store; readonly reopen: () => Store };

/** What every store keeps, whatever it is made of. */
export function storeContract(name: string, make: (t: TestContext) => StoreUnderTest): void {
  suite(`store contract: ${name}`, () => {
    tasks(make);
    runs(make);
    rates(make);
    incidents(make);
    groups(make);
    releases(make);
    watching(make);
    claims(make);
    smallThings(make);
  });
}

function claims(make: Make): void {
  const made = (name: string, subject: string, value: number) => ({
    id: `clai_${name}_${subject}_${value}`,
    skill: "greet",
    subject,
    by: { door: "mcp", name } as const,
    runId: "run_1",
    version: "c1",
    incidentId: null,
    expectation: { kind: "value", value } as const,
    reason: "wrong",
    at: value,
  });

  test("a claimant's last word about a question is kept, with how often there was one", (t) => {
    const { store, reopen } = make(t);
    store.addClaim(made("a", "q", 1));
    store.addClaim(made("b", "q", 2));
    store.addClaim(made("a", "other", 3));

    const again = store.addClaim(made("a", "q", 4));

    assert.deepEqual([again.times, again.expectation], [2, { kind: "value", value: 4 }]);
    const found = reopen().claims({ skill: "greet", subject: "q" });
    assert.deepEqual(
      found.map(({ by, expectation, times }) => [by.name, expectation, times]),
      [
        ["a", { kind: "value", value: 4 }, 2],
        ["b", { kind: "value", value: 2 }, 1],
      ],
    );
    assert.deepEqual(store.claims({ skill: "else", subject: "q" }), []);
  });

  test("claims are found by their incident, and counted by claimant, skill and time", (t) => {
    const { store } = make(t);
    const { incident } = store.joinIncident(anIncident({ id: "inci_c" }), "run_1");
    store.addClaim({ ...made("a", "q", 1), incidentId: incident.id });
    store.addClaim(made("a", "r", 5));
    store.addClaim(made("a", "r", 6));
    store.addClaim(made("b", "q", 7));

    assert.deepEqual(
      store.claims({ incident: incident.id }).map(({ subject }) => subject),
      ["q"],
    );
    const by = { door: "mcp", name: "a" } as const;
    assert.deepEqual(
      [
        store.countClaims({ since: 0, by }),
        store.countClaims({ since: 6, by }),
        store.countClaims({ since: 0, skill: "greet" }),
        store.countClaims({ since: 8 }),
      ],
      [3, 2, 4, 0],
    );
  });
}

type Make = (t: TestContext) => StoreUnderTest;

function watching(make: Make): void {
  test("releases under watch are those of one skill, newest first, without their evidence", (t) => {
    const { store } = make(t);
    for (const commit of ["a", "b", "c"]) {
      store.addPendingRelease(aRelease({ commit, incidentId: null, candidateId: null }));
      store.promote(commit);
    }
    store.setRelease("b", "kept", "it did well");

    const watched = store.watched("parse-price");

    assert.deepEqual(
      watched.map(({ commit }) => commit),
      ["c", "a"],
    );
    assert.ok(watched.every((made) => !("evidence" in made)));
    assert.deepEqual(store.watched("another"), []);
  });

  test("rewards since an instant are those of the last runs that began then or later", (t) => {
    const { store } = make(t);
    for (const [at, score] of [0, 0.25, 0.5, 0.75].entries()) {
      store.addRun(aRun({ id: `r${at}`, reward: scored(score), startedAt: at }));
    }
    const of = { skill: "parse-price", version: "v1" };

    assert.deepEqual(store.rewardsSince({ ...of, since: 1, limit: 9 }), [0.25, 0.5, 0.75]);
    assert.deepEqual(store.rewardsSince({ ...of, since: 1, limit: 2 }), [0.5, 0.75]);
    assert.deepEqual(store.rewardsSince({ ...of, since: 4, limit: 2 }), []);
  });

  test("a repeated run is added once, and the last ones come oldest first", (t) => {
    const { store } = make(t);
    const of = { skill: "parse-price", release: "c1", before: 1, after: 0.5, at: 7 };
    assert.equal(store.addShadow({ ...of, runId: "a", isSame: false }), true);
    assert.equal(store.addShadow({ ...of, runId: "a", isSame: true }), false);
    store.addShadow({ ...of, runId: "b", isSame: true });
    store.addShadow({ ...of, runId: "c", isSame: true });

    assert.deepEqual(
      store.shadows("c1", 9).map(({ runId, isSame }) => [runId, isSame]),
      [
        ["a", false],
        ["b", true],
        ["c", true],
      ],
    );
    assert.deepEqual(store.shadows("c1", 1), [{ ...of, runId: "c", isSame: true }]);
    assert.deepEqual(store.shadows("c2", 9), []);
  });

  test("an alarm stands once for each cause until it is over, over restarts", (t) => {
    const { store, reopen } = make(t);
    const alarm = { kind: "reward-fell", skill: "a", cause: "v1", text: "it fell" } as const;

    assert.equal(store.raiseAlarm({ ...alarm, raisedAt: 1 }), true);
    assert.equal(store.raiseAlarm({ ...alarm, raisedAt: 2, text: "again" }), false);
    assert.equal(store.raiseAlarm({ ...alarm, cause: "v2", raisedAt: 3 }), true);
    assert.equal(store.raiseAlarm({ ...alarm, skill: "b", raisedAt: 4 }), true);

    const again = reopen();
    assert.deepEqual(again.alarms({ skill: "a" })[0], { ...alarm, raisedAt: 1, overAt: null });
    assert.equal(again.endAlarm(alarm, 5), true);
    assert.equal(again.endAlarm(alarm, 6), false);
    assert.deepEqual(
      again.alarms({}).map(({ skill, cause }) => `${skill} ${cause}`),
      ["a v2", "b v1"],
    );
    assert.equal(again.raiseAlarm({ ...alarm, raisedAt: 7 }), true);
  });
}

function tasks(make: Make): void {
  test("a task is claimed once, oldest first, and comes back whole", (t) => {
    const { store } = make(t);
    const first = aTask({ id: "a", expectation: { kind: "value", value: [1, null] } });
    assert.equal(store.addTask(first), true);
    assert.equal(store.addTask(aTask({ id: "b" })), true);

    const claimed = store.claimTask();

    assert.deepEqual(claimed, { task: first, state: "running", runId: null, error: null });
    assert.equal(store.claimTask()?.task.id, "b");
    assert.equal(store.claimTask(), null);
  });

  test("adding a task twice changes nothing and says so", (t) => {
    const { store } = make(t);
    store.addTask(aTask({ input: { text: "first" } }));
    store.claimTask();

    assert.equal(store.addTask(aTask({ input: { text: "second" } })), false);

    assert.equal(store.task("task-1")?.state, "running");
    assert.deepEqual(store.task("task-1")?.task.input, { text: "first" });
  });

  test("tasks that were running when the process died are queued again", (t) => {
    const { store, reopen } = make(t);
    for (const id of ["a", "b", "c"]) store.addTask(aTask({ id }));
    store.claimTask();
    store.claimTask();

    const later = reopen();

    assert.equal(later.requeueRunning(), 2);
    assert.deepEqual(later.countTasks(), { queued: 3, running: 0, done: 0, failed: 0 });
    assert.equal(later.claimTask()?.task.id, "a");
  });

  test("a failed task keeps its error", (t) => {
    const { store } = make(t);
    store.addTask(aTask());
    store.claimTask();

    store.failTask("task-1", "the sandbox was out of reach");

    assert.equal(store.task("task-1")?.state, "failed");
    assert.equal(store.task("task-1")?.error, "the sandbox was out of reach");
    assert.throws(() => store.failTask("nobody", "x"), { code: "not-found" });
  });

  test("only a queued task is cancelled, and nobody takes it then", (t) => {
    const { store } = make(t);
    for (const id of ["a", "b"]) store.addTask(aTask({ id }));
    store.claimTask();

    assert.deepEqual(
      ["a", "b", "b", "nobody"].map((id) => store.cancelTask(id, "cancelled by Ada")),
      [false, true, false, false],
    );
    assert.equal(store.task("b")?.error, "cancelled by Ada");
    assert.equal(store.claimTask(), null);
  });
}

function runs(make: Make): void {
  test("a run ends its task and comes back whole, however long its trace", (t) => {
    const { store, reopen } = make(t);
    store.addTask(aTask());
    store.claimTask();
    const run = aRun({
      expectation: { kind: "throws", message: "no price" },
      trace: aTrace({
        logs: Array.from({ length: 500 }, (_, n) => ({
          level: "info",
          text: `line ${n} ✓ \u0000`,
        })),
        outcome: { status: "returned", value: { deep: [1e-7, "\ud800", "", { "": null }] } },
      }),
    });

    assert.equal(store.addRun(run), true);

    assert.deepEqual(reopen().run("run-1"), run);
    assert.deepEqual(store.task("task-1")?.state, "done");
    assert.deepEqual(store.task("task-1")?.runId, "run-1");
    assert.equal(store.run("nobody"), null);
  });

  test("adding a run twice changes nothing and says so", (t) => {
    const { store } = make(t);
    store.addRun(aRun());

    assert.equal(store.addRun(aRun({ reward: scored(0) })), false);

    assert.deepEqual(store.run("run-1")?.reward, scored(1));
    assert.deepEqual(store.rewards("parse-price", "v1", 10), [1]);
  });

  test("runs are listed newest first, by version and by score", (t) => {
    const { store } = make(t);
    store.addRun(aRun({ id: "a", reward: scored(0.2) }));
    store.addRun(aRun({ id: "b", reward: scored(0.9) }));
    store.addRun(aRun({ id: "c", version: "v2" }));
    store.addRun(aRun({ id: "d", skill: "other" }));
    const listed = (query: object): string[] =>
      store.runs({ skill: "parse-price", heldOut: false, limit: 10, ...query }).map(({ id }) => id);

    assert.deepEqual(listed({}), ["c", "b", "a"]);
    assert.deepEqual(listed({ limit: 2 }), ["c", "b"]);
    assert.deepEqual(listed({ before: "c" }), ["b", "a"]);
    assert.deepEqual(listed({ before: "b", version: "v1" }), ["a"]);
    assert.deepEqual(listed({ before: "nobody" }), []);
    assert.deepEqual(listed({ version: "v1" }), ["b", "a"]);
    assert.deepEqual(listed({ minimumScore: 0.9 }), ["c", "b"]);
    assert.deepEqual(listed({ version: "v1", minimumScore: 0.5 }), ["b"]);
  });

  test("held-out runs are listed only when asked for by name", (t) => {
    const { store } = make(t);
    store.joinIncident(anIncident(), "hidden");
    store.joinIncident(anIncident(), "seen");
    store.addRun(aRun({ id: "hidden", isHeldOut: true }));
    store.addRun(aRun({ id: "seen" }));
    const listed = (heldOut: boolean): string[] =>
      store.runs({ skill: "parse-price", heldOut, limit: 10 }).map(({ id }) => id);

    assert.deepEqual(listed(false), ["seen"]);
    assert.deepEqual(listed(true), ["hidden"]);
    assert.deepEqual(
      store.runsOf("incident-1", 10).map(({ id }) => id),
      ["seen"],
    );
  });

  test("looks at held-out data are counted for each skill", (t) => {
    const { store } = make(t);

    assert.equal(store.countHeldOutLook("a"), 1);
    assert.equal(store.countHeldOutLook("a"), 2);
    assert.equal(store.countHeldOutLook("b"), 1);
  });
}

function rates(make: Make): void {
  test("runs without a score enter no rate", (t) => {
    const { store } = make(t);
    store.addRun(aRun({ id: "a", startedAt: 10, reward: scored(0.5) }));
    store.addRun(aRun({ id: "b", startedAt: 20, reward: { status: "unscored", reason: "net" } }));
    store.addRun(aRun({ id: "c", startedAt: 30, reward: { status: "bad-reward", reason: "2" } }));
    store.addRun(aRun({ id: "d", startedAt: 40, version: "v2", reward: scored(0) }));

    assert.deepEqual(store.versionStats("parse-price"), [
      { version: "v2", runs: 1, scored: 1, meanReward: 0, bestReward: 0, firstAt: 40, lastAt: 40 },
      {
        version: "v1",
        runs: 3,
        scored: 1,
        meanReward: 0.5,
        bestReward: 0.5,
        firstAt: 10,
        lastAt: 30,
      },
    ]);
    assert.deepEqual(store.rewards("parse-price", "v1", 10), [0.5]);
    assert.deepEqual(store.countUnscored(), { unscored: 1, badReward: 1 });
  });

  test("runs are counted by hour, and by day for a skill", (t) => {
    const { store, reopen } = make(t);
    const [hour, day] = [3_600_000, 86_400_000];
    const at = (startedAt: number, id: string, more: object = {}): void =>
      void store.addRun(aRun({ id, startedAt, ...more }));
    at(10 * day + 1, "a", { reward: scored(0.5) });
    at(10 * day + 2, "b", { reward: { status: "unscored", reason: "net" } });
    at(10 * day + hour, "c", { skill: "other", reward: scored(0) });
    at(11 * day, "d", { reward: scored(1) });
    at(11 * day, "d", { reward: scored(0) });

    const later = reopen();

    assert.deepEqual(later.statsByHour(10 * day + 5), [
      { at: 10 * day, runs: 2, scored: 1, meanReward: 0.5 },
      { at: 10 * day + hour, runs: 1, scored: 1, meanReward: 0 },
      { at: 11 * day, runs: 1, scored: 1, meanReward: 1 },
    ]);
    assert.deepEqual(later.statsByHour(11 * day + hour), []);
    assert.deepEqual(later.statsByDay("parse-price", 10 * day + 5), [
      { at: 10 * day, runs: 2, scored: 1, meanReward: 0.5 },
      { at: 11 * day, runs: 1, scored: 1, meanReward: 1 },
    ]);
    assert.deepEqual(later.statsByDay("nobody", 0), []);
  });

  test("a version without any score has no mean", (t) => {
    const { store } = make(t);
    store.addRun(aRun({ reward: { status: "unscored", reason: "net" } }));

    assert.equal(store.versionStats("parse-price")[0]?.meanReward, null);
    assert.deepEqual(store.versionStats("nobody"), []);
  });

  test("rewards are the last ones, oldest first", (t) => {
    const { store } = make(t);
    [0.1, 0.2, 0.3].forEach((score, n) => {
      store.addRun(aRun({ id: `run-${n}`, reward: scored(score) }));
    });

    assert.deepEqual(store.rewards("parse-price", "v1", 2), [0.2, 0.3]);
  });

  test("a score outside [0,1] is refused, not stored", (t) => {
    const { store } = make(t);

    assert.throws(() => store.addRun(aRun({ reward: scored(1.5) })), HoneError);

    assert.equal(store.run("run-1"), null);
  });
}

function incidents(make: Make): void {
  test("runs of one version and signature are one incident", (t) => {
    const { store } = make(t);
    const opened = store.joinIncident(anIncident(), "run-1");
    const joined = store.joinIncident(anIncident({ id: "incident-2", firstRunId: "x" }), "run-2");

    assert.deepEqual(opened, { incident: anIncident({ runs: 1 }), isNew: true });
    assert.deepEqual(joined, { incident: anIncident({ runs: 2 }), isNew: false });
    assert.equal(store.incident("incident-2"), null);
  });

  test("a run joins an incident once", (t) => {
    const { store } = make(t);
    store.joinIncident(anIncident(), "run-1");

    assert.equal(store.joinIncident(anIncident(), "run-1").incident.runs, 1);
  });

  test("another version or signature is another incident", (t) => {
    const { store } = make(t);
    store.joinIncident(anIncident(), "run-1");

    assert.equal(store.joinIncident(anIncident({ id: "b", version: "v2" }), "run-2").isNew, true);
    assert.equal(store.joinIncident(anIncident({ id: "c", signature: "s" }), "run-3").isNew, true);
  });

  test("a change touches what it names and nothing else", (t) => {
    const { store } = make(t);
    store.joinIncident(anIncident(), "run-1");

    store.setIncident("incident-1", { state: "no-change", rejections: 2 });
    store.setIncident("incident-1", { retryAt: 9_000, note: "waits" });

    assert.deepEqual(
      store.incident("incident-1"),
      anIncident({ runs: 1, state: "no-change", rejections: 2, retryAt: 9_000, note: "waits" }),
    );
    assert.throws(() => store.setIncident("nobody", { note: "" }), { code: "not-found" });
  });

  test("incidents are listed newest first, by skill and state", (t) => {
    const { store } = make(t);
    store.joinIncident(anIncident({ id: "a", signature: "1" }), "r");
    store.joinIncident(anIncident({ id: "b", signature: "2", state: "closed" }), "r");
    store.joinIncident(anIncident({ id: "c", skill: "other" }), "r");
    const listed = (query: object): string[] =>
      store.incidents({ limit: 10, ...query }).map(({ id }) => id);

    assert.deepEqual(listed({}), ["c", "b", "a"]);
    assert.deepEqual(listed({ skill: "parse-price" }), ["b", "a"]);
    assert.deepEqual(listed({ states: ["open", "improving"] }), ["c", "a"]);
    assert.deepEqual(listed({ states: [] }), []);
    assert.deepEqual(listed({ limit: 1 }), ["c"]);
    assert.equal(store.countIncidents().open, 2);
    assert.equal(store.countIncidents().closed, 1);
    assert.equal(store.countIncidents()["gave-up"], 0);
  });

  test("the runs of an incident come newest first", (t) => {
    const { store } = make(t);
    for (const id of ["a", "b", "c"]) {
      store.addRun(aRun({ id }));
      store.joinIncident(anIncident(), id);
    }

    assert.deepEqual(
      store.runsOf("incident-1", 2).map(({ id }) => id),
      ["c", "b"],
    );
  });
}

function groups(make: Make): void {
  test("a group is kept with its candidates and every verdict", (t) => {
    const { store, reopen } = make(t);
    store.joinIncident(anIncident(), "run-1");
    const record = aCandidateRecord(
      { source: "// long\n".repeat(2_000) },
      {
        state: "waiting",
        advantage: 1.5,
        verdicts: [
          { gate: "parse", status: "pass", reason: "parses", durationMs: 0.25 },
          {
            gate: "failing-case",
            status: "fail",
            reason: "still 404",
            durationMs: 3,
            recorded: [{ match: "GET https://api.test/*", status: 404 }],
          },
        ],
      },
    );

    store.addGroup(aGroup(), [record]);

    assert.deepEqual(reopen().groups("incident-1"), [aGroup()]);
    assert.deepEqual(store.candidate("candidate-1"), record);
    assert.deepEqual(store.candidates({ groupId: "group-1", limit: 10 }), [record]);
  });

  test("a group is written whole or not at all", (t) => {
    const { store } = make(t);
    store.joinIncident(anIncident(), "run-1");

    assert.throws(
      () => store.addGroup(aGroup(), [aCandidateRecord(), aCandidateRecord()]),
      HoneError,
    );

    assert.deepEqual(store.groups("incident-1"), []);
    assert.equal(store.candidate("candidate-1"), null);
  });

  test("a group needs its incident", (t) => {
    const { store } = make(t);

    assert.throws(() => store.addGroup(aGroup(), []), { code: "store-failed", retryable: false });
  });

  test("adding a group twice changes nothing", (t) => {
    const { store } = make(t);
    store.joinIncident(anIncident(), "run-1");
    store.addGroup(aGroup(), [aCandidateRecord()]);

    store.addGroup(aGroup({ reason: "again" }), [aCandidateRecord({ id: "other" })]);

    assert.deepEqual(store.groups("incident-1"), [aGroup()]);
    assert.equal(store.candidate("other"), null);
  });

  test("a candidate that comes up again answers with its newer group", (t) => {
    const { store } = make(t);
    store.joinIncident(anIncident(), "run-1");
    store.addGroup(aGroup(), [aCandidateRecord({}, { state: "infra-error" })]);
    store.addGroup(aGroup({ id: "group-2" }), [aCandidateRecord({}, { state: "waiting" })]);

    store.setCandidate("candidate-1", "released");

    assert.equal(store.candidate("candidate-1")?.groupId, "group-2");
    assert.equal(store.candidate("candidate-1")?.state, "released");
    assert.deepEqual(
      store.candidates({ groupId: "group-1", limit: 9 }).map(({ state }) => state),
      ["infra-error"],
    );
    assert.throws(() => store.setCandidate("nobody", "released"), { code: "not-found" });
  });

  test("candidates are listed by state", (t) => {
    const { store } = make(t);
    store.joinIncident(anIncident(), "run-1");
    store.addGroup(aGroup(), [
      aCandidateRecord({ id: "a" }),
      aCandidateRecord({ id: "b" }, { state: "waiting" }),
      aCandidateRecord({ id: "c" }, { state: "waiting" }),
    ]);
    const listed = store.candidates({ state: "waiting", limit: 9 });

    assert.deepEqual(
      listed.map(({ candidate }) => candidate.id),
      ["b", "c"],
    );
  });

  test("the digests refused for a signature are told, once each", (t) => {
    const { store } = make(t);
    store.joinIncident(anIncident(), "run-1");
    store.joinIncident(anIncident({ id: "incident-2", signature: "s2" }), "run-1");
    store.addGroup(aGroup(), [
      aCandidateRecord({ id: "a", digest: "d1" }),
      aCandidateRecord({ id: "b", digest: "d2" }, { state: "spare" }),
      aCandidateRecord({ id: "c", digest: "d3" }),
    ]);
    store.addGroup(aGroup({ id: "group-2" }), [aCandidateRecord({ id: "d", digest: "d1" })]);
    store.addGroup(aGroup({ id: "group-3", incidentId: "incident-2", signature: "s2" }), [
      aCandidateRecord({ id: "e", digest: "d9" }),
    ]);

    assert.deepEqual(store.refusedDigests(anIncident().signature), ["d1", "d3"]);
    assert.deepEqual(store.refusedDigests("nothing"), []);
  });

  test("what a group taught comes back, the latest first, and is added once", (t) => {
    const { store, reopen } = make(t);
    store.joinIncident(anIncident(), "run-1");
    store.addGroup(aGroup(), []);
    const won = { arm: "m t=0.8 plain", reward: 1, cost: 500 };
    const lost = { arm: "m t=1.2 trace", reward: 0, cost: 900 };

    store.addPulls("group-1", "threw", [won, lost]);
    store.addPulls("group-1", "threw", [won, lost]);

    const again = reopen();
    assert.deepEqual(again.pulls("threw", 9), [lost, won]);
    assert.deepEqual(again.pulls("threw", 1), [lost]);
    assert.deepEqual(again.pulls("wrong-value", 9), []);
    assert.deepEqual(again.arms(1), [
      { failureClass: "threw", arm: won.arm, pulls: 1, won: 1, tokens: 500 },
    ]);
  });
}

function releases(make: Make): void {
  test("a release is pending until it is told otherwise", (t) => {
    const { store, reopen } = make(t);
    store.addPendingRelease(aRelease({ state: "watching" }));

    assert.deepEqual(reopen().release("c1"), aRelease());

    store.setRelease("c1", "watching", "the ref moved");
    assert.deepEqual(store.release("c1"), aRelease({ state: "watching", reason: "the ref moved" }));
    assert.throws(() => store.setRelease("nobody", "kept", ""), { code: "not-found" });
  });

  test("a skill has one pending release", (t) => {
    const { store } = make(t);
    store.addPendingRelease(aRelease());

    assert.throws(() => store.addPendingRelease(aRelease({ commit: "c2" })), {
      code: "store-failed",
      retryable: false,
    });
    store.addPendingRelease(aRelease({ commit: "c3", skill: "other" }));
    store.setRelease("c1", "aborted", "conflict");
    store.addPendingRelease(aRelease({ commit: "c2" }));

    assert.deepEqual(
      store.releases({ states: ["pending"], limit: 9 }).map(({ commit }) => commit),
      ["c2", "c3"],
    );
  });

  test("a release that is made repairs its incident and releases its candidate, once", (t) => {
    const { store, reopen } = make(t);
    store.joinIncident(anIncident(), "run-1");
    store.addGroup(aGroup(), [aCandidateRecord()]);
    store.addPendingRelease(aRelease());

    store.promote("c1");

    assert.equal(reopen().release("c1")?.state, "watching");
    assert.equal(store.incident("incident-1")?.state, "repaired");
    assert.equal(store.incident("incident-1")?.note, aRelease().reason);
    assert.equal(store.candidate("candidate-1")?.state, "released");
    store.setRelease("c1", "kept", "sound");
    store.promote("c1");
    assert.equal(store.release("c1")?.state, "kept");
  });

  test("a rollback that is made refuses the candidate of what it takes back", (t) => {
    const { store } = make(t);
    store.joinIncident(anIncident(), "run-1");
    store.addGroup(aGroup(), [aCandidateRecord()]);
    store.addPendingRelease(aRelease());
    store.promote("c1");
    store.addPendingRelease(aRelease({ commit: "c2", reverts: "c1", reason: "did worse" }));

    store.promote("c2");

    assert.deepEqual(
      ["c1", "c2"].map((commit) => store.release(commit)?.state),
      ["rolled-back", "kept"],
    );
    assert.equal(store.release("c1")?.reason, "did worse");
    assert.equal(store.candidate("candidate-1")?.state, "rejected");
    assert.equal(store.incident("incident-1")?.state, "repaired");
  });

  test("announcing a release again revives an aborted one and changes no other", (t) => {
    const { store } = make(t);
    store.addPendingRelease(aRelease());
    store.setRelease("c1", "kept", "sound");
    store.addPendingRelease(aRelease({ reason: "again" }));
    assert.equal(store.release("c1")?.state, "kept");

    store.setRelease("c1", "aborted", "conflict");
    store.addPendingRelease(aRelease({ reason: "again" }));

    assert.deepEqual(store.release("c1"), aRelease({ reason: "again" }));
  });

  test("releases are listed newest first, by skill and state", (t) => {
    const { store } = make(t);
    store.addPendingRelease(aRelease());
    store.setRelease("c1", "kept", "");
    store.addPendingRelease(aRelease({ commit: "c2", skill: "other" }));

    const all = store.releases({ limit: 9 }).map(({ commit }) => commit);
    const mine = store.releases({ skill: "parse-price", limit: 9 }).map(({ commit }) => commit);

    assert.deepEqual(all, ["c2", "c1"]);
    assert.deepEqual(mine, ["c1"]);
    assert.deepEqual(store.releases({ states: ["watching"], limit: 9 }), []);
    assert.equal(store.release("nobody"), null);
  });

  test("a request for a skill comes back with the release that it came to, while that stands", (t) => {
    const { store } = make(t);
    const { incident } = store.joinIncident(anIncident(), "run-1");
    const birth = aBirth(incident.id);
    const told = () => store.births({ skill: birth.wanted.name });
    assert.deepEqual([store.addBirth(birth), store.addBirth(birth)], [true, false]);
    assert.deepEqual([store.birth(incident.id), told()], [birth, [birth]]);

    store.addPendingRelease(aRelease({ incidentId: incident.id, releasedAt: 7 }));

    assert.equal(store.birth(incident.id)?.commit, null);
    store.promote("c1");
    store.endProbation(incident.id, "agrees", "well");
    const born = { ...birth, commit: "c1", bornAt: 7, verdict: "agrees", note: "well" };
    assert.deepEqual(told(), [born]);
    store.setRelease("c1", "rolled-back", "");
    assert.equal(store.birth(incident.id)?.commit, null);
    assert.deepEqual(store.births({ skill: "other" }), []);
    assert.throws(() => store.endProbation("nobody", "agrees", ""), { code: "not-found" });
  });
}

function smallThings(make: Make): void {
  test("events come in order, from any point on", (t) => {
    const { store, reopen } = make(t);
    const event = { at: 5, kind: "run.scored", skill: null, detail: { score: 1 } };
    const first = store.addEvent(event);
    const second = store.addEvent({ ...event, skill: "a", kind: "incident.opened" });

    assert.ok(second > first);
    assert.deepEqual(reopen().events(first, 9), [
      { id: second, ...event, skill: "a", kind: "incident.opened" },
    ]);
    assert.deepEqual(
      store.events(0, 1).map(({ id }) => id),
      [first],
    );
  });

  test("the state of a skill keeps any JSON under any key, for that skill alone", (t) => {
    const { store } = make(t);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.jsonValue(), (key, value) => {
        store.kvSet("a", key, value);
        assert.equal(JSON.stringify(store.kvGet("a", key)), JSON.stringify(value));
        assert.equal(store.kvGet("b", key), undefined);
        assert.ok(store.kvList("a", key).includes(key));
        store.kvDelete("a", key);
        assert.equal(store.kvGet("a", key), undefined);
      }),
    );
    assert.deepEqual(store.kvList("a", ""), []);
  });

  test("keys are listed by prefix, in order, without wildcards", (t) => {
    const { store } = make(t);
    for (const key of ["b%", "a_2", "a_1", "ab", "a\u{10FFFF}z", "a"]) store.kvSet("s", key, 1);

    assert.deepEqual(store.kvList("s", "a_"), ["a_1", "a_2"]);
    assert.deepEqual(store.kvList("s", "a"), ["a", "a_1", "a_2", "ab", "a\u{10FFFF}z"]);
    assert.deepEqual(store.kvList("s", "%"), []);
  });

  test("a slot is claimed exactly once, over restarts", (t) => {
    const { store, reopen } = make(t);

    assert.equal(store.claimSlot("nightly", "2030-01-01T02:00"), true);
    assert.equal(store.claimSlot("nightly", "2030-01-01T02:00"), false);
    assert.equal(store.claimSlot("nightly", "2030-01-02T02:00"), true);
    assert.equal(reopen().claimSlot("nightly", "2030-01-01T02:00"), false);
  });

  test("an answer is kept by its key, with what it was the answer to", (t) => {
    const { store, reopen } = make(t);
    const kept = { request: "digest", answer: { schemaVersion: 1, __proto__x: ["ü", null] } };

    store.keepAnswer("key", kept);

    assert.deepEqual(reopen().keptAnswer("key"), kept);
    assert.equal(store.keptAnswer("other"), null);
  });

  test("a note is the last one set", (t) => {
    const { store } = make(t);
    assert.equal(store.note("cursor"), null);

    store.setNote("cursor", "1");
    store.setNote("cursor", "2");

    assert.equal(store.note("cursor"), "2");
  });

  test("the upkeep empties the WAL and finds the ledger sound", (t) => {
    const { store } = make(t);
    store.addRun(aRun());

    assert.equal(store.checkpoint(), 0);
    assert.equal(store.integrity(), "ok");
  });
}
