import assert from "node:assert/strict";
import { test } from "node:test";
import { pruneSome } from "../../src/daemon/retention.ts";
import { areaSkill } from "../support/area-skill.ts";
import { aWorkspace } from "../support/workspace.ts";

const DAY_MS = 86_400_000;

test("a look at the ledger removes what is older than the settings say; 0 keeps it for ever", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  const kinds = async (eventsDays: number): Promise<readonly string[]> => {
    await using hone = await workspace.open({ retention: { eventsDays } });
    const { store, now } = hone.house;
    for (const days of [40, 20]) {
      store.addEvent({ at: now() - days * DAY_MS, kind: `${days} days`, skill: null, detail: {} });
    }
    await pruneSome(hone);
    return store.events(0, 100).map(({ kind }) => kind);
  };

  assert.ok((await kinds(0)).includes("40 days"));
  const left = await kinds(30);

  assert.ok(!left.includes("40 days"), left.join());
  assert.ok(left.includes("20 days"), left.join());
});
