import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { openStore } from "../src/adapters/sqlite/sqlite-store.ts";
import type { House } from "../src/ports/house.ts";
import { baseOf, canaryIn, noteBase, versionsFor } from "../src/versions.ts";
import { aRelease, aRun, scored } from "./support/ledger.ts";
import { aSkill } from "./support/shop.ts";

const TASKS = Array.from({ length: 2_000 }, (_, at) => ({ id: `task-${at}` }));

/** A skill that fetches, whose active version is `version`; releases are pending, then watched. */
function aHouse(t: TestContext, version: string) {
  const store = openStore(":memory:");
  t.after(() => store[Symbol.dispose]());
  for (let at = 0; at < 4; at += 1) store.addRun(aRun({ id: `old-${at}`, reward: scored(1) }));
  const skill = (of: string) => {
    const { manifest, ...rest } = aSkill({ name: "parse-price", version: of });
    return { ...rest, manifest: { ...manifest, capabilities: { fetch: ["api.test"] } } };
  };
  const library = {
    active: async () => skill(version),
    at: async (_name: string, of: string) => (of === "gone" ? null : skill(of)),
  };
  const settings = { canary: { share: 0.25, runs: 5, hours: 1 }, watch: { minimumRuns: 5 } };
  const traffic = { running: 0, onRun: () => undefined, canaries: new Map() };
  const now = () => 3_000;
  const safeVersion = async () => null;
  const house = { store, library, settings, traffic, now, safeVersion } as unknown as House;
  const watch = (commit: string, previous: string) => {
    const made = aRelease({ commit, previous, incidentId: null, candidateId: null });
    store.addPendingRelease(made);
    store.promote(commit);
    return made;
  };
  return { house, store, skill, watch };
}

async function countOf(version: string, house: House): Promise<number> {
  const chosen = await Promise.all(
    TASKS.map(async (task) => (await versionsFor(task, house)("parse-price")).version),
  );
  return chosen.filter((one) => one === version).length;
}

test("without a release under watch every task has the active version", async (t) => {
  const { house } = aHouse(t, "v1");

  assert.equal(await countOf("v1", house), TASKS.length);
});

test("a release under watch has its share of the tasks, and the version before has the rest", async (t) => {
  const { house, watch } = aHouse(t, "c1");
  watch("c1", "v1");

  const count = await countOf("c1", house);

  assert.ok(Math.abs(count - 500) < 100, `${count} of 2000`);
  assert.equal(await countOf("v1", house), TASKS.length - count);
});

test("T15 a task has one version of a skill to its end, and the same whenever it is asked", async (t) => {
  const { house, store, watch } = aHouse(t, "c1");
  watch("c1", "v1");
  for (const task of TASKS.slice(0, 50)) {
    const versions = versionsFor(task, house);
    const first = await versions("parse-price");
    assert.equal((await versionsFor(task, house)("parse-price")).version, first.version);
  }

  const held = TASKS.slice(0, 50).map((task) => versionsFor(task, house));
  const before = await Promise.all(held.map(async (versions) => await versions("parse-price")));
  store.setRelease("c1", "kept", "it did well");
  const after = await Promise.all(held.map(async (versions) => await versions("parse-price")));

  assert.deepEqual(after, before);
  assert.ok(before.some(({ version }) => version === "v1"));
});

test("a version before that cannot be loaded any more is no place to send anybody to", async (t) => {
  const { house, watch } = aHouse(t, "c1");
  watch("c1", "gone");

  assert.equal(await countOf("c1", house), TASKS.length);
});

test("a person's commit upon a release under watch has all of the work", async (t) => {
  const { house, watch } = aHouse(t, "person");
  watch("c1", "v1");

  assert.equal(await countOf("person", house), TASKS.length);
});

test("no share is over before there could be a verdict", (t) => {
  const { house, store, skill, watch } = aHouse(t, "c1");
  const made = watch("c1", "v1");
  const patient = { ...house.settings, watch: { ...house.settings.watch, minimumRuns: 8 } };
  for (let at = 0; at < 7; at += 1) {
    store.addRun(aRun({ id: `r${at}`, version: "c1", reward: scored(1) }));
  }

  assert.equal(canaryIn(made, skill("c1"), { ...house, settings: patient }).share, 0.25);
});

test("a release upon one that has a share only is held against the version before both", (t) => {
  const { house, skill, watch } = aHouse(t, "c2");
  watch("c1", "v1");
  const second = watch("c2", "c1");

  noteBase(second, skill("c1"), house);

  assert.equal(baseOf(second, house), "v1");
});

test("a release upon one that had all of the work is held against that one", (t) => {
  const { house, store, skill, watch } = aHouse(t, "c2");
  const first = watch("c1", "v1");
  for (let at = 0; at < 5; at += 1) {
    store.addRun(aRun({ id: `r${at}`, version: "c1", reward: scored(1) }));
  }
  assert.equal(canaryIn(first, skill("c1"), house).share, 1);
  const second = watch("c2", "c1");

  noteBase(second, skill("c1"), house);

  assert.equal(baseOf(second, house), "c1");
});
