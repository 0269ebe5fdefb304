import assert from "node:assert/strict";
import type { Settled } from "../../src/records.ts";
import {
  assertClear,
  assertSentence,
  assertServesTheHead,
  assertSound,
  countsOf,
} from "./invariants.ts";
import { RIGHT, theSite, type Site } from "./site.ts";

/**
 * An improvement during which something is struck: whatever comes of it, nothing is half done and
 * nothing is learnt from it, and the next improvement succeeds without a restart. Returns what came
 * of the first.
 */
export async function improvementHolds(
  improve: (site: Site, attempt: () => Promise<Settled>, skill: string) => Promise<Settled>,
  where: Promise<Site> = theSite(),
): Promise<Settled | Error> {
  const site = await where;
  const { store } = site.hone.house;
  const skill = site.fresh();
  const incident = await site.incident(skill);
  const before = countsOf(site.workspace);

  const first = await improve(site, () => site.improve(incident), skill).catch(
    (error: Error) => error,
  );

  assertSound(site, { recovered: false });
  if (first instanceof Error) assertClear(first);
  else assertSentence(first.reason);
  const { rejections, note } = store.incident(incident.id) ?? {};
  assert.equal(rejections, 0, "the fault counts as no rejection");
  if (note !== "") assertSentence(note ?? "");
  const second = await site.improve(incident);
  assert.equal(store.incident(incident.id)?.state, "repaired", second.reason);
  const after = countsOf(site.workspace);
  for (const what of ["scores", "rollbacks", "incidents"]) {
    assert.equal(after[what], before[what], `${what} that the fault brought`);
  }
  assert.equal(after["released"], (before["released"] ?? 0) + 1, "one release");
  await assertRepaired(site, skill);
  return first;
}

/** The skill is right now, and everything is as it should be. */
export async function assertRepaired(site: Site, skill: string): Promise<void> {
  assert.equal((await site.call(skill))["value"], RIGHT);
  await assertServesTheHead(site.hone, site, skill);
  assertSound(site, { recovered: true });
}
