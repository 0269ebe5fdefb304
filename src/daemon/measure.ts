import { statSync } from "node:fs";
import path from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import type { Mount } from "../serve/http/mount.ts";
import type { GaugeSources } from "../serve/metrics/gauges.ts";
import type { Metrics } from "../serve/metrics/metrics.ts";
import { metricsMount } from "../serve/metrics/mount.ts";
import type { OpenWorkspace } from "./compose.ts";
import { pauseIn } from "./model/spending.ts";
import { waitingCandidates } from "./views/waiting.ts";

/**
 * Begins to count what happens in a workspace, and serves the counts; nothing where that is off.
 * What it needs is loaded beside the start of the daemon, which does not wait for it.
 */
export function measure(workspace: OpenWorkspace): readonly Mount[] {
  const { metrics: isOn } = workspace.config.telemetry;
  return isOn ? [metricsMount(counting(workspace))] : [];
}

async function counting(workspace: OpenWorkspace): Promise<Metrics> {
  const { createMetrics } = await import("../serve/metrics/metrics.ts");
  const { store } = workspace.house;
  const metrics = createMetrics({
    version: packageJson.version,
    mostSkills: workspace.config.telemetry.skills,
    openedAt: (incident) => store.incident(incident)?.openedAt ?? null,
    sources: sourcesIn(workspace),
  });
  workspace.listen(metrics);
  workspace.events.onEvent(metrics.onEvent);
  return metrics;
}

/** Releases under watch that are counted at most. */
const MOST = 1_000;

function sourcesIn({ dir, config, house }: OpenWorkspace): GaugeSources {
  const { store, library, sandbox, containers, model, now } = house;
  const file = path.join(dir, "data", "run", "hone.db");
  return {
    skills: async () => (await library.names()).length,
    tasks: () => store.countTasks(),
    incidents: () => store.countIncidents(),
    waiting: () => waitingCandidates(store).length,
    watched: () => store.releases({ states: ["watching"], limit: MOST }).length,
    isPaused: () => pauseIn(store) !== null,
    budget: () => {
      if (model === null) return null;
      const { day: used } = store.modelCost({ incident: null, now: now() });
      return { used, most: config.model.budget.day };
    },
    pools: () => {
      const found = { isolate: sandbox.pool?.(), docker: containers?.sandbox.pool?.() };
      return Object.fromEntries(
        Object.entries(found).flatMap(([name, pool]) => (pool === undefined ? [] : [[name, pool]])),
      );
    },
    ledger: () => ({ file: sizeOf(file), wal: sizeOf(`${file}-wal`) }),
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
