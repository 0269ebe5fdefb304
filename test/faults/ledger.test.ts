import assert from "node:assert/strict";
import { HoneError } from "../../src/domain/errors.ts";
import type { Store } from "../../src/ports/store.ts";
import { takeBack } from "../../src/watching.ts";
import { inject, type Fault } from "./fault.ts";
import { improvementHolds } from "./improvement.ts";
import { assertClear, assertServesTheHead, assertSound, countsOf } from "./invariants.ts";
import { phasesOf } from "./phases.ts";
import { RIGHT, theSite } from "./site.ts";
import { struck } from "./struck.ts";

/** What SQLite says, as the border tells it. */
const FAULTS = {
  busy: () => broken("database is locked", true),
  full: () => broken("database or disk is full", true),
  io: () => broken("disk I/O error", true),
  corrupt: () => broken("database disk image is malformed", false),
} as const;

type How = keyof typeof FAULTS;

const WORDS: Readonly<Record<How, string>> = {
  busy: "is busy",
  full: "is full",
  io: "has an I/O error",
  corrupt: "is found damaged",
};

/** Every call of the ledger in an improvement, as `phase: verb`, with one of what may befall it. */
const IMPROVEMENT: Readonly<Record<string, How>> = {
  "reflect: incident": "busy",
  "reflect: run": "io",
  "reflect: runsOf": "corrupt",
  "reflect: runs": "busy",
  "reflect: setIncident": "full",
  "reflect: refusedDigests": "io",
  "differential: runs": "busy",
  "held-out: runs": "io",
  "held-out: countHeldOutLook": "full",
  "approval: addGroup": "full",
  "release: setIncident": "io",
  "release: addEvent": "full",
  "release: addPendingRelease": "full",
  "branch: promote": "full",
  "after: candidates": "busy",
  "after: addEvent": "full",
};

const improvements: readonly Fault[] = Object.entries(IMPROVEMENT).map(([place, how]) => ({
  name: `the ledger ${WORDS[how]} in an improvement, at ${place}`,
  strikes: `improvement: ${place}`,
  holds: () => improvementStruck(place, how),
}));

const runs: readonly Fault[] = (["addRun", "joinIncident", "addEvent"] as const).map((verb) => ({
  name: `the ledger is full in a live run that falls short, at ${verb}`,
  strikes: `live run: ${verb}`,
  holds: () => runStruck(verb),
}));

const rollbacks: readonly Fault[] = [
  ["addPendingRelease", 1],
  ["promote", 1],
].map(([verb, at]) => ({
  name: `the ledger is full in a rollback, at ${verb}, call ${at}`,
  strikes: `rollback: ${verb}`,
  holds: () => rollbackStruck(verb as keyof Store & string, Number(at)),
}));

export const faults = inject(import.meta.main, {
  kind: "ledger",
  faults: [...improvements, ...runs, ...rollbacks],
});

function broken(what: string, retryable: boolean): never {
  throw new HoneError("store-failed", `the ledger's call failed: ${what}`, {
    hint: "Is the disk full? Free some space; hone tries again.",
    retryable,
  });
}

async function improvementStruck(place: string, how: How): Promise<void> {
  const [phase, verb] = place.split(": ") as [string, keyof Store & string];
  await improvementHolds(async (site, attempt) => {
    using phases = phasesOf(site);
    let isStruck = false;
    using _struck = struck(
      site.hone.house.store,
      verb,
      () => {
        if (isStruck || phases.now !== phase) return;
        isStruck = true;
        FAULTS[how]();
      },
      { times: Number.MAX_SAFE_INTEGER },
    );
    try {
      return await attempt();
    } finally {
      assert.ok(isStruck, `${place} was reached`);
    }
  });
}

async function runStruck(verb: keyof Store & string): Promise<void> {
  const site = await theSite();
  const { store } = site.hone.house;
  const skill = site.fresh();
  await site.call(site.fresh());
  const before = countsOf(site.workspace);
  {
    using _struck = struck(store, verb, FAULTS.full);
    const first = await site.call(skill).catch((error: Error) => error);
    if (verb !== "addEvent") assert.equal(assertClear(first).code, "store-failed");
  }
  assertSound(site, { recovered: true });
  assert.equal(countsOf(site.workspace)["groups"], before["groups"]);
  const incident = await site.incident(skill);
  assert.equal((await site.improve(incident)).result, "released");
  assert.equal((await site.call(skill))["value"], RIGHT);
  assertSound(site, { recovered: true });
}

async function rollbackStruck(verb: keyof Store & string, at: number): Promise<void> {
  const site = await theSite();
  const { house } = site.hone;
  const skill = site.fresh();
  const { commit } = await site.improve(await site.incident(skill));
  const made = house.store.release(String(commit));
  assert.ok(made !== null);
  const why = { reason: "did worse", by: "hone" };
  const before = countsOf(site.workspace);
  {
    using _struck = struck(house.store, verb, FAULTS.full, { at });
    const first = await takeBack(made, why, house).catch((error: Error) => error);
    assert.equal(assertClear(first).code, "store-failed");
  }
  assertSound(site, { recovered: false });
  await site.hone.house.alone(async () => undefined);
  if (house.store.release(made.commit)?.state !== "rolled-back") await takeBack(made, why, house);
  assert.equal(house.store.release(made.commit)?.state, "rolled-back");
  assert.equal(countsOf(site.workspace)["rollbacks"], (before["rollbacks"] ?? 0) + 1);
  await assertServesTheHead(site.hone, site, skill);
  assertSound(site, { recovered: true });
}
