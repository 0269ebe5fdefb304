import { statusOf } from "../../domain/gate.ts";
import type { Json } from "../../domain/json.ts";
import type { LedgerListener } from "../../ports/ledger-listener.ts";
import type { HoneEvent } from "../../ports/store.ts";
import { BoundedNames } from "./bounded-names.ts";
import { setGauges, type GaugeSources } from "./gauges.ts";
import { makeInstruments, type Instruments } from "./instruments.ts";

export type MetricsSettings = {
  /** hone's own version. */
  readonly version: string;
  /** Skills that have time series of their own; all others are `other`. */
  readonly mostSkills: number;
  /** When an incident was opened, in milliseconds since the epoch; null where nobody knows. */
  readonly openedAt: (incident: string) => number | null;
  readonly sources: GaugeSources;
};

export type Metrics = LedgerListener & {
  readonly onEvent: (event: HoneEvent) => void;
  /** The text that Prometheus scrapes, and its media type. */
  readonly read: () => Promise<{ readonly text: string; readonly contentType: string }>;
};

/** Kinds of events are words of hone's own; this many is more than there are. */
const MOST_KINDS = 200;

/** What happens in a daemon, counted for Prometheus since its start. */
export function createMetrics({
  version,
  mostSkills,
  openedAt,
  sources,
}: MetricsSettings): Metrics {
  const instruments = makeInstruments();
  const { registry, gauge } = instruments;
  gauge("hone_build_info").set({ version, node: process.versions.node }, 1);
  const skills = new BoundedNames(mostSkills);
  return {
    ...listenerOn(instruments, skills),
    onEvent: counterOfEvents(instruments, { skills, openedAt }),
    async read() {
      await setGauges(sources, instruments);
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
  };
}

function listenerOn({ counter, histogram }: Instruments, skills: BoundedNames): LedgerListener {
  return {
    onRun({ skill: name, trace, reward }) {
      const skill = skills.of(name);
      counter("hone_runs_total").inc({ skill, outcome: trace.outcome.status });
      histogram("hone_run_duration_seconds").observe(trace.usage.wallMs / 1_000);
      if (reward.status === "scored") {
        histogram("hone_run_reward_ratio").observe({ skill }, reward.score);
      } else counter("hone_runs_unscored_total").inc({ skill, status: reward.status });
    },
    onGroup({ result, tried, durationMs }, candidates) {
      counter("hone_groups_total").inc({ result });
      counter("hone_programs_tried_total").inc(tried);
      histogram("hone_group_duration_seconds").observe(durationMs / 1_000);
      for (const { candidate, verification } of candidates) {
        const { proposer } = candidate.origin;
        counter("hone_candidates_total").inc({ proposer, verdict: statusOf(verification) });
        for (const { gate, status, durationMs: ms } of verification.verdicts) {
          counter("hone_gate_verdicts_total").inc({ gate, verdict: status });
          histogram("hone_gate_duration_seconds").observe({ gate }, ms / 1_000);
        }
      }
    },
    onModelCall({ kind }, { status, durationMs, tokens }) {
      counter("hone_model_calls_total").inc({ kind, status });
      histogram("hone_model_call_duration_seconds").observe({ kind }, durationMs / 1_000);
      for (const [direction, count] of Object.entries(tokens ?? {})) {
        counter("hone_model_tokens_total").inc({ kind, direction }, count);
      }
    },
  };
}

function counterOfEvents(
  { counter, histogram }: Instruments,
  { skills, openedAt }: { skills: BoundedNames } & Pick<MetricsSettings, "openedAt">,
): Metrics["onEvent"] {
  const kinds = new BoundedNames(MOST_KINDS);
  return ({ kind, skill: name, detail, at }) => {
    const skill = (): string => skills.of(name ?? "");
    counter("hone_events_total").inc({ kind: kinds.of(kind) });
    if (kind === "incident.opened") {
      const of = { skill: skill(), failure_class: textOf(detail["failureClass"]) };
      counter("hone_incidents_opened_total").inc(of);
    } else if (kind === "release.made") {
      counter("hone_releases_total").inc({ skill: skill() });
      const since = openedAt(textOf(detail["incident"]));
      if (since !== null) {
        histogram("hone_time_to_fix_seconds").observe(Math.max(0, at - since) / 1_000);
      }
    } else if (kind === "release.kept") counter("hone_releases_kept_total").inc({ skill: skill() });
    else if (kind === "release.rolled-back")
      counter("hone_rollbacks_total").inc({ skill: skill() });
    else if (kind === "task.failed") counter("hone_tasks_failed_total").inc();
    else if (kind === "commit.adopted") counter("hone_commits_adopted_total").inc();
    else if (kind === "commit.refused") counter("hone_commits_refused_total").inc();
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
