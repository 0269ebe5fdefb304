import assert from "node:assert/strict";
import { writeFileSync, existsSync, utimesSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startImprover } from "../../src/daemon/repairs/improver.ts";
import { follow } from "../../src/daemon/follow.ts";
import { inject, type Fault } from "./fault.ts";
import { assertRepaired } from "./improvement.ts";
import { assertSound, countsOf } from "./invariants.ts";
import { phasesOf } from "./phases.ts";
import { RIGHT, theSite, type Site } from "./site.ts";
import { replaced } from "./struck.ts";

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

/** How the clock jumps. */
const JUMPS: Readonly<Record<string, number>> = {
  "an hour back": -HOUR,
  "an hour ahead": HOUR,
  "a year back": -YEAR,
  "a year ahead": YEAR,
};

/** Where it jumps in an improvement. */
const PLACES = ["reflect", "search", "regression", "release"] as const;

const inAnImprovement: readonly Fault[] = Object.entries(JUMPS).flatMap(([how, ms], at) => {
  const place = PLACES[at] ?? "reflect";
  return [place, "search" as const].map((where, n) => ({
    name: `the clock is put ${how} in an improvement, at ${where}${n === 1 ? ", its search" : ""}`,
    strikes: `improvement: ${where}`,
    holds: () => improvementHolds(where, ms),
  }));
});

export const faults = inject(import.meta.main, {
  kind: "clock",
  faults: [
    ...inAnImprovement,
    {
      name: "the clock is put a year back between a release and its watch",
      strikes: "watch: live runs",
      holds: async () => await watchHolds(-YEAR),
    },
    {
      name: "the clock is put a year ahead between a release and its watch",
      strikes: "watch: live runs",
      holds: async () => await watchHolds(YEAR),
    },
    {
      name: "an incident was paused by a clock that was a year ahead",
      strikes: "the improver: pauses",
      holds: pausedByAWrongClock,
    },
    {
      name: "a dead git's lock is from the future",
      strikes: "release: stale locks",
      holds: lockOfTheFuture,
    },
    {
      name: "the clock is put a year back while a person commits",
      strikes: "adoption: commits of the future",
      holds: commitOfTheFuture,
    },
  ],
});

/** From now on, and until it is disposed, the house's clock is off by so much. */
function jumped({ hone: { house } }: Site, isOff: () => boolean, ms: number): Disposable {
  return replaced(house, "now", (now) => () => Number(now()) + (isOff() ? ms : 0));
}

async function improvementHolds(place: string, ms: number): Promise<void> {
  const site = await theSite();
  const skill = site.fresh();
  const incident = await site.incident(skill);
  const before = countsOf(site.workspace);
  {
    using phases = phasesOf(site);
    let isOff = false;
    using _clock = jumped(site, () => (isOff ||= phases.now === place), ms);
    const first = await site.improve(incident);
    assert.ok(["released", "no-change"].includes(first.result), first.reason);
  }
  assertSound(site, { recovered: true });
  assert.equal(countsOf(site.workspace)["rollbacks"], before["rollbacks"]);
  if (site.hone.house.store.incident(incident.id)?.state !== "repaired") {
    assert.equal((await site.improve(incident)).result, "released");
  }
  await assertRepaired(site, skill);
}

async function watchHolds(ms: number): Promise<void> {
  const site = await theSite();
  const skill = site.fresh();
  const { commit } = await site.improve(await site.incident(skill));
  const before = countsOf(site.workspace);
  {
    using _clock = jumped(site, () => true, ms);
    for (let run = 0; run < 13; run += 1) assert.equal((await site.call(skill))["value"], RIGHT);
  }
  assert.equal(site.hone.house.store.release(String(commit))?.state, "kept");
  assert.equal(countsOf(site.workspace)["rollbacks"], before["rollbacks"]);
  assertSound(site, { recovered: true });
}

async function pausedByAWrongClock(): Promise<void> {
  const site = await theSite();
  const { store, now } = site.hone.house;
  const skill = site.fresh();
  const incident = await site.incident(skill);
  store.setIncident(incident.id, { state: "no-change", retryAt: now() + YEAR });
  await using improver = startImprover(site.hone);
  improver.wake();
  for (let look = 0; look < 600; look += 1) {
    if (store.incident(incident.id)?.state === "repaired") break;
    await pause(50);
  }
  assert.equal(store.incident(incident.id)?.state, "repaired");
}

async function lockOfTheFuture(): Promise<void> {
  const site = await theSite();
  const skill = site.fresh();
  const incident = await site.incident(skill);
  const lock = path.join(site.workspace.dir, ".git/refs/heads/hone.lock");
  writeFileSync(lock, "");
  utimesSync(lock, Date.now() / 1_000 + 86_400, Date.now() / 1_000 + 86_400);
  const settled = await site.improve(incident);
  assert.equal(settled.result, "released", settled.reason);
  assert.ok(!existsSync(lock));
  await assertRepaired(site, skill);
}

async function commitOfTheFuture(): Promise<void> {
  const site = await theSite();
  await follow(site.hone);
  const theirs = site.person.commit({ "plan.md": "later\n" });
  {
    using _clock = jumped(site, () => true, -YEAR);
    await follow(site.hone);
  }
  assert.equal(site.workspace.git("merge-base", theirs, "hone"), theirs);
  assertSound(site, { recovered: true });
}
