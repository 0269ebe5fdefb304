import assert from "node:assert/strict";
import { test } from "node:test";
import { Hono } from "hono";
import { measure } from "../../src/daemon/measure.ts";
import { areaSkill } from "../support/area-skill.ts";
import { parseExposition } from "../support/exposition.ts";
import { aWorkspace } from "../support/workspace.ts";

const MISSED = { skill: "area", input: { width: 2, height: 3 }, expect: 6 };

test("a shortfall, its repair and what the house keeps are told by /metrics", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open();
  const app = new Hono();
  for (const mount of measure(hone)) mount(app);
  const values = async (): Promise<ReadonlyMap<string, number>> => {
    const answer = await app.request("/metrics");
    const metrics = parseExposition(await answer.text());
    const samples = metrics.flatMap((metric) => metric.samples);
    return new Map(samples.map((one) => [`${one.name}${JSON.stringify(one.labels)}`, one.value]));
  };
  const before = await values();
  assert.equal(before.get("hone_skills{}"), 1);
  assert.equal(before.get('hone_pool_waiting{"pool":"isolate"}'), 0);

  await hone.operations.call(MISSED);
  await hone.operations.improve({ skill: "area" });
  await hone.operations.call(MISSED);
  const after = await values();

  const expected = {
    'hone_runs_total{"skill":"area","outcome":"returned"}': 2,
    'hone_run_reward_ratio_bucket{"le":"0","skill":"area"}': 1,
    'hone_run_reward_ratio_count{"skill":"area"}': 2,
    'hone_incidents_opened_total{"skill":"area","failure_class":"wrong-value"}': 1,
    'hone_groups_total{"result":"released"}': 1,
    'hone_candidates_total{"proposer":"search","verdict":"pass"}': 1,
    'hone_gate_verdicts_total{"gate":"regression","verdict":"pass"}': 1,
    'hone_releases_total{"skill":"area"}': 1,
    "hone_time_to_fix_seconds_count{}": 1,
    'hone_incidents{"state":"repaired"}': 1,
    'hone_incidents{"state":"open"}': 0,
    "hone_releases_watched{}": 1,
    "hone_repairs_paused{}": 0,
    'hone_tasks{"state":"queued"}': 0,
  };
  for (const [series, value] of Object.entries(expected))
    assert.equal(after.get(series), value, series);
  assert.ok((after.get("hone_ledger_size_bytes{}") ?? 0) > 0);
});

test("where metrics are off there is no /metrics", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({ telemetry: { metrics: false } });

  assert.deepEqual(measure(hone), []);
});
