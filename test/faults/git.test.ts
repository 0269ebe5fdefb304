import assert from "node:assert/strict";
import { test } from "node:test";
import { takeBack } from "../../src/watching.ts";
import type { Publication } from "../../src/ports/repository.ts";
import { inject, type Fault } from "./fault.ts";
import { type GitFault, GitPlan, limitGit } from "./git-wrapper.ts";
import { improvementHolds } from "./improvement.ts";
import {
  assertClear,
  assertSentence,
  assertServesTheHead,
  assertSound,
  countsOf,
} from "./invariants.ts";
import { theSite, type Site } from "./site.ts";

/** Time of a git that hangs, in milliseconds: thirty seconds are too long for a test. */
const LIMIT_MS = 1_000;

/** Every call of git in a release, from the approved candidate on, and what may befall it. */
const RELEASE: Readonly<Record<string, readonly GitFault[]>> = {
  "config.1": ["fails", "dies", "hangs"],
  "status.1": ["fails", "dies", "hangs"],
  "rev-list.1": ["fails", "hangs"],
  "rev-list.2": ["fails", "dies"],
  "rev-list.3": ["fails", "dies"],
  "unpack-objects.1": ["fails", "dies", "hangs", "did"],
  "unpack-objects.2": ["fails", "dies", "did"],
  "update-ref.1": ["fails", "dies", "hangs", "deaf", "did", "torn"],
};

const ROLLBACK: Readonly<Record<string, readonly GitFault[]>> = {
  "rev-list.1": ["fails", "hangs"],
  "config.1": ["fails", "dies"],
  "status.1": ["fails", "dies"],
  "unpack-objects.1": ["fails", "dies", "hangs", "did"],
  "update-ref.1": ["fails", "dies", "did", "torn"],
};

const PUBLICATION: Readonly<Record<string, readonly GitFault[]>> = {
  "rev-list.1": ["fails", "dies"],
  "rev-list.2": ["fails"],
  "worktree.1": ["dies"],
  "version.1": ["fails"],
  "rev-parse.1": ["dies"],
  "config.1": ["fails"],
  "merge.1": ["fails", "dies", "hangs", "did"],
  "update-ref.1": ["fails", "dies"],
};

const WORDS: Readonly<Record<GitFault, string>> = {
  fails: "fails",
  dies: "is killed before it works",
  hangs: "hangs",
  deaf: "hangs and is deaf to SIGTERM",
  did: "is killed after it has worked",
  torn: "is killed with its locks taken",
  "takes-hone": "takes hone with it",
  "torn-takes-hone": "takes hone with it, its locks taken",
  "did-takes-hone": "takes hone with it after it has worked",
};

function faultsOf(
  operation: string,
  calls: Readonly<Record<string, readonly GitFault[]>>,
  strike: (call: string, how: GitFault) => Promise<void>,
): readonly Fault[] {
  return Object.entries(calls).flatMap(([call, hows]) =>
    hows.map((how) => ({
      name: `git ${call} of a ${operation} ${WORDS[how]}`,
      strikes: `${operation}: git ${call.replace(".", ", call ")}`,
      holds: () => strike(call, how),
    })),
  );
}

export const faults = inject(import.meta.main, {
  kind: "git",
  faults: [
    ...faultsOf("release", RELEASE, releaseHolds),
    ...faultsOf("rollback", ROLLBACK, rollbackHolds),
    ...faultsOf("publication", PUBLICATION, publicationHolds),
  ],
});

if (import.meta.main) {
  test("no call of git in a release, a rollback or a publication is left out", async () => {
    const site = await theSite();
    const incident = await site.incident(site.fresh());
    const seen: string[][] = [];
    const commit = String((await counted(site, seen, () => site.improve(incident))).commit);
    await counted(site, seen, () => site.hone.house.repository.publish());
    await counted(site, seen, () => rollbackOf(commit, site));

    assert.deepEqual(seen, [calls(RELEASE), calls(PUBLICATION), calls(ROLLBACK)]);
  });
}

function calls(of: object): readonly string[] {
  return Object.keys(of).toSorted();
}

async function counted<T>(site: Site, seen: string[][], work: () => Promise<T>): Promise<T> {
  using plan = new GitPlan(site.workspace.dir);
  const done = await work();
  seen.push([...plan.calls]);
  return done;
}

/** Runs some work while a call of git is struck; what it threw is the answer, too. */
async function struckBy<T>(
  site: Site,
  call: string,
  how: GitFault,
  work: () => Promise<T>,
): Promise<T | Error> {
  using plan = new GitPlan(site.workspace.dir, { [call]: how });
  using _limit = /hangs|deaf|torn/.test(how)
    ? limitGit(call.replace(/\..*/, ""), LIMIT_MS)
    : { [Symbol.dispose]: () => undefined };
  const done = await work().catch((error: Error) => error);
  assert.ok(plan.calls.includes(call), `${call} was made, and struck`);
  return done;
}

async function releaseHolds(call: string, how: GitFault): Promise<void> {
  await improvementHolds(async (site, attempt) => {
    const first = await struckBy(site, call, how, attempt);
    if (first instanceof Error) throw first;
    return first;
  });
}

async function rollbackOf(commit: string, { hone: { house } }: Site): Promise<unknown> {
  const made = house.store.release(commit);
  assert.ok(made !== null);
  return await takeBack(made, { reason: "did worse", by: "hone" }, house);
}

async function rollbackHolds(call: string, how: GitFault): Promise<void> {
  const site = await theSite();
  const { store } = site.hone.house;
  const skill = site.fresh();
  const { commit } = await site.improve(await site.incident(skill));
  assert.ok(commit !== null);
  const before = countsOf(site.workspace);

  const first = await struckBy(site, call, how, () => rollbackOf(commit, site));

  assertSound(site, { recovered: true });
  if (first instanceof Error) {
    assertClear(first);
    assert.deepEqual(countsOf(site.workspace), before);
    assert.equal(store.release(commit)?.state, "watching");
    await rollbackOf(commit, site);
  }
  assert.equal(store.release(commit)?.state, "rolled-back");
  assert.equal(countsOf(site.workspace)["rollbacks"], (before["rollbacks"] ?? 0) + 1);
  await assertServesTheHead(site.hone, site, skill);
  assertSound(site, { recovered: true });
}

async function publicationHolds(call: string, how: GitFault): Promise<void> {
  const site = await theSite();
  const { repository } = site.hone.house;
  await site.improve(await site.incident(site.fresh()));
  const before = countsOf(site.workspace);

  const first = await struckBy(site, call, how, () => repository.publish());

  assertSound(site, { recovered: true });
  if (first instanceof Error) assertClear(first);
  else if (first.status === "blocked") assertSentence(first.reason);
  const second: Publication = await repository.publish();
  assert.ok(second.status !== "blocked", "reason" in second ? second.reason : "");
  assert.equal(site.workspace.git("rev-parse", "main"), site.workspace.git("rev-parse", "hone"));
  assert.deepEqual(countsOf(site.workspace), before);
  assertSound(site, { recovered: true });
}
