/** What a metric is; the reference in docs/metrics.md is made of this. */
export type MetricRow = {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels?: readonly string[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
};

const FAST_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SLOW_S = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 604_800];
const SHARES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1];

/**
 * Every metric of hone by its name: units and `_total` by the conventions of Prometheus. Those of
 * the process and of Node are prom-client's own.
 */
export const METRICS = {
  hone_build_info: {
    type: "gauge",
    help: "1, with hone's version and Node's.",
    labels: ["version", "node"],
  },
  hone_runs_total: {
    type: "counter",
    help: "Runs of skills, by how each ended.",
    labels: ["skill", "outcome"],
  },
  hone_run_duration_seconds: {
    type: "histogram",
    help: "Time that runs took behind the wall.",
    buckets: FAST_S,
  },
  hone_run_reward_ratio: {
    type: "histogram",
    help: "Rewards of scored runs, from 0 to 1.",
    labels: ["skill"],
    buckets: SHARES,
  },
  hone_runs_unscored_total: {
    type: "counter",
    help: "Runs without a score: the world was out of reach, or the reward is at fault.",
    labels: ["skill", "status"],
  },
  hone_incidents_opened_total: {
    type: "counter",
    help: "Incidents that runs opened by falling short.",
    labels: ["skill", "failure_class"],
  },
  hone_incidents: { type: "gauge", help: "Incidents, by their state now.", labels: ["state"] },
  hone_groups_total: {
    type: "counter",
    help: "Attempts to repair an incident, by how each ended.",
    labels: ["result"],
  },
  hone_group_duration_seconds: {
    type: "histogram",
    help: "Time that attempts to repair took.",
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640],
  },
  hone_programs_tried_total: { type: "counter", help: "Programs run in search of a repair." },
  hone_candidates_total: {
    type: "counter",
    help: "Candidates, by who proposed them and what the gates said in all.",
    labels: ["proposer", "verdict"],
  },
  hone_gate_verdicts_total: {
    type: "counter",
    help: "Verdicts on candidates, by gate.",
    labels: ["gate", "verdict"],
  },
  hone_gate_duration_seconds: {
    type: "histogram",
    help: "Time that gates took for a candidate.",
    labels: ["gate"],
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  hone_candidates_waiting: { type: "gauge", help: "Candidates that wait for a person." },
  hone_releases_total: { type: "counter", help: "Repairs released.", labels: ["skill"] },
  hone_releases_kept_total: {
    type: "counter",
    help: "Releases that stood their watch.",
    labels: ["skill"],
  },
  hone_rollbacks_total: { type: "counter", help: "Releases taken back.", labels: ["skill"] },
  hone_releases_watched: { type: "gauge", help: "Releases under watch." },
  hone_time_to_fix_seconds: {
    type: "histogram",
    help: "From the first run that fell short to the release of its repair.",
    buckets: SLOW_S,
  },
  hone_commits_adopted_total: { type: "counter", help: "Commits of people that were taken in." },
  hone_commits_refused_total: {
    type: "counter",
    help: "Commits of people that were not taken in, because a skill would have broken.",
  },
  hone_skills: { type: "gauge", help: "Skills that are served." },
  hone_tasks: { type: "gauge", help: "Tasks that wait or are under way.", labels: ["state"] },
  hone_tasks_failed_total: { type: "counter", help: "Tasks that could not be carried out." },
  hone_repairs_paused: { type: "gauge", help: "1 while a person has paused repairs." },
  hone_model_calls_total: {
    type: "counter",
    help: "Requests to the model, by what for and how each ended.",
    labels: ["kind", "status"],
  },
  hone_model_call_duration_seconds: {
    type: "histogram",
    help: "Time that requests to the model took.",
    labels: ["kind"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160],
  },
  hone_model_tokens_total: {
    type: "counter",
    help: "Tokens, as the model's server counts them.",
    labels: ["kind", "direction"],
  },
  hone_model_budget_used_requests: { type: "gauge", help: "Requests of the last 24 hours." },
  hone_model_budget_left_requests: { type: "gauge", help: "Requests left of the day's cap." },
  hone_model_budget_used_tokens: { type: "gauge", help: "Tokens of the last 24 hours." },
  hone_model_budget_left_tokens: { type: "gauge", help: "Tokens left of the day's cap." },
  hone_model_budget_used_seconds: { type: "gauge", help: "Model time of the last 24 hours." },
  hone_model_budget_left_seconds: { type: "gauge", help: "Model time left of the day's cap." },
  hone_pool_guests: {
    type: "gauge",
    help: "Processes or containers for skill code, by pool and state.",
    labels: ["pool", "state"],
  },
  hone_pool_waiting: {
    type: "gauge",
    help: "Executions that wait for a place in a pool.",
    labels: ["pool"],
  },
  hone_ledger_size_bytes: { type: "gauge", help: "Size of the ledger's file." },
  hone_ledger_wal_size_bytes: { type: "gauge", help: "Size of the ledger's write-ahead log." },
  hone_events_total: {
    type: "counter",
    help: "Events told, by kind; the log has each with its detail.",
    labels: ["kind"],
  },
  hone_collections_failed_total: {
    type: "counter",
    help: "Parts of a scrape that could not be read, and are missing from it.",
    labels: ["part"],
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

export type MetricName = keyof typeof METRICS;
