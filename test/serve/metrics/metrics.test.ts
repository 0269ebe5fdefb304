import assert from "node:assert/strict";
import { test } from "node:test";
import { Hono } from "hono";
import { HoneError } from "../../../src/domain/errors.ts";
import type { GaugeSources } from "../../../src/serve/metrics/gauges.ts";
import { createMetrics, type Metrics } from "../../../src/serve/metrics/metrics.ts";
import { metricsMount } from "../../../src/serve/metrics/mount.ts";
import { METRICS } from "../../../src/serve/metrics/table.ts";
import { lint, parseExposition, type Exposed } from "../../support/exposition.ts";
import { aCandidateRecord, aGroup, aRun, scored } from "../../support/ledger.ts";

const SOURCES: GaugeSources = {
  skills: async () => 3,
  tasks: () => ({ queued: 2, running: 1, done: 9, failed: 0 }),
  incidents: () => ({ open: 4, closed: 0 }),
  waiting: () => 1,
  watched: () => 2,
  isPaused: () => true,
  budget: () => ({
    used: { requests: 5, tokens: 70, seconds: 9 },
    most: { requests: 4, tokens: 100, seconds: 10 },
  }),
  pools: () => ({ isolate: { idle: 2, busy: 1, waiting: 0 } }),
  ledger: () => ({ file: 4_096, wal: 0 }),
};

function make(
  sources: Partial<GaugeSources> = {},
  mostSkills = 2,
  openedAt: number | null = 1_000,
): Metrics {
  return createMetrics({
    version: "1.2.3",
    mostSkills,
    openedAt: () => openedAt,
    sources: { ...SOURCES, ...sources },
  });
}

async function read(metrics: Metrics): Promise<readonly Exposed[]> {
  return parseExposition((await metrics.read()).text);
}

/** The value of a series, by its name and labels; undefined where there is none. */
function valueOf(
  metrics: readonly Exposed[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  return metrics
    .flatMap(({ samples }) => samples)
    .find((one) => one.name === name && same(one.labels, labels))?.value;
}

function same(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => a[key] === b[key]);
}

function everything(metrics: Metrics): void {
  metrics.onRun(aRun());
  metrics.onRun(aRun({ reward: { status: "unscored", reason: "net" } }));
  metrics.onGroup(aGroup(), [
    aCandidateRecord(
      {},
      {
        verdicts: [
          { gate: "parse", status: "pass", reason: "", durationMs: 2 },
          { gate: "policy", status: "fail", reason: "", durationMs: 1 },
        ],
      },
    ),
  ]);
  const call = {
    id: "c",
    at: 0,
    kind: "propose",
    skill: "a",
    incident: null,
    model: "m",
    reservedMs: 0,
    reserved: 9,
  };
  const tokens = { prompt: 7, completion: 3, cached: 0 };
  metrics.onModelCall(call, { status: "answered", durationMs: 1_500, tokens });
  const kinds = [
    "incident.opened",
    "release.made",
    "release.kept",
    "release.rolled-back",
    "task.failed",
    "commit.adopted",
    "commit.refused",
  ];
  for (const kind of kinds) {
    const detail = { failureClass: "threw", incident: "incident-1" };
    metrics.onEvent({ id: 1, at: 31_000, kind, skill: "parse-price", detail });
  }
}

test("what is exposed is as Prometheus and its conventions want it", async () => {
  const metrics = make();
  everything(metrics);

  assert.deepEqual(lint(await read(metrics)), []);
  const { contentType } = await metrics.read();
  assert.match(contentType, /^text\/plain; version=0\.0\.4/);
});

test("every metric of the table has values once everything has happened, and there is no other", async () => {
  const metrics = make({
    budget: () => {
      throw new HoneError("store-failed", "busy");
    },
  });
  everything(metrics);
  const failed = await read(metrics);
  assert.equal(valueOf(failed, "hone_collections_failed_total", { part: "budget" }), 1);
  const found = [...failed, ...(await read(make()))];
  const ours = found.filter(({ name }) => name.startsWith("hone_"));

  const withValues = ours.filter(({ samples }) => samples.length > 0).map(({ name }) => name);
  assert.deepEqual([...new Set(withValues)].toSorted(), Object.keys(METRICS).toSorted());
});

test("runs, groups, model calls and events are counted as they happen", async () => {
  const metrics = make();
  everything(metrics);
  const found = await read(metrics);
  const skill = "parse-price";

  assert.equal(valueOf(found, "hone_runs_total", { skill, outcome: "returned" }), 2);
  assert.equal(valueOf(found, "hone_run_reward_ratio_count", { skill }), 1);
  assert.equal(valueOf(found, "hone_runs_unscored_total", { skill, status: "unscored" }), 1);
  assert.equal(valueOf(found, "hone_gate_verdicts_total", { gate: "policy", verdict: "fail" }), 1);
  assert.equal(
    valueOf(found, "hone_model_tokens_total", { kind: "propose", direction: "prompt" }),
    7,
  );
  assert.equal(valueOf(found, "hone_releases_total", { skill }), 1);
  assert.equal(valueOf(found, "hone_rollbacks_total", { skill }), 1);
  assert.equal(valueOf(found, "hone_time_to_fix_seconds_sum"), 30);
  assert.equal(valueOf(found, "hone_model_call_duration_seconds_sum", { kind: "propose" }), 1.5);
  assert.equal(
    valueOf(found, "hone_build_info", { version: "1.2.3", node: process.versions.node }),
    1,
  );
});

test("a release of an incident that nobody knows any more has no time to fix", async () => {
  const metrics = make({}, 2, null);
  everything(metrics);

  assert.equal(valueOf(await read(metrics), "hone_time_to_fix_seconds_count"), 0);
});

test("what is over budget has nothing left, not less", async () => {
  const found = await read(make());

  assert.equal(valueOf(found, "hone_model_budget_used_requests"), 5);
  assert.equal(valueOf(found, "hone_model_budget_left_requests"), 0);
  assert.equal(valueOf(found, "hone_model_budget_left_tokens"), 30);
});

test("the number of time series does not grow with the number of skills and kinds (T18)", async () => {
  const metrics = make({}, 2);
  const series = async (): Promise<number> =>
    (await read(metrics)).reduce((sum, { samples }) => sum + samples.length, 0);
  const runOf = (n: number): void => {
    metrics.onRun(aRun({ id: `${n}`, skill: `skill-${n}`, reward: scored(0.5) }));
    metrics.onEvent({ id: n, at: 0, kind: `kind-${n}`, skill: `skill-${n}`, detail: {} });
  };
  for (let n = 0; n < 300; n += 1) runOf(n);
  const before = await series();
  for (let n = 300; n < 900; n += 1) runOf(n);

  assert.equal(await series(), before);
  const found = await read(metrics);
  assert.equal(valueOf(found, "hone_runs_total", { skill: "skill-1", outcome: "returned" }), 1);
  assert.equal(valueOf(found, "hone_runs_total", { skill: "other", outcome: "returned" }), 898);
});

test("a part that cannot be read is missing, and the rest is served", async () => {
  const metrics = make({
    tasks: () => {
      throw new HoneError("store-failed", "busy");
    },
  });
  const found = await read(metrics);

  assert.equal(valueOf(found, "hone_tasks", { state: "queued" }), undefined);
  assert.equal(valueOf(found, "hone_skills"), 3);
});

test("/metrics answers when the metrics are there, and is never kept", async () => {
  const { promise, resolve } = Promise.withResolvers<Metrics>();
  const app = new Hono();
  metricsMount(promise)(app);
  const asked = app.request("/metrics");
  resolve(make());
  const answer = await asked;

  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.ok(parseExposition(await answer.text()).some(({ name }) => name === "hone_skills"));
});
