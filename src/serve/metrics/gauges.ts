import { HoneError } from "../../domain/errors.ts";
import type { Cost } from "../../domain/budget.ts";
import type { PoolState } from "../../ports/sandbox.ts";
import type { Instruments } from "./instruments.ts";

/** What is looked up when metrics are asked for. Each may throw HoneError, and is left out then. */
export type GaugeSources = {
  readonly skills: () => Promise<number>;
  readonly tasks: () => Readonly<Record<string, number>>;
  readonly incidents: () => Readonly<Record<string, number>>;
  /** Candidates that wait for a person. */
  readonly waiting: () => number;
  /** Releases under watch. */
  readonly watched: () => number;
  readonly isPaused: () => boolean;
  /** Null: no model. */
  readonly budget: () => { readonly used: Cost; readonly most: Cost } | null;
  readonly pools: () => Readonly<Record<string, PoolState>>;
  /** Sizes in bytes. */
  readonly ledger: () => { readonly file: number; readonly wal: number };
};

/** Looks everything up and sets the gauges. What cannot be read is missing, never an old value. */
export async function setGauges(sources: GaugeSources, of: Instruments): Promise<void> {
  const parts = partsOf(sources, of);
  for (const [part, set] of Object.entries(parts)) {
    try {
      await set();
    } catch (error) {
      if (!(error instanceof HoneError)) throw error;
      of.counter("hone_collections_failed_total").inc({ part });
    }
  }
}

function partsOf(
  sources: GaugeSources,
  { gauge }: Instruments,
): Record<keyof GaugeSources, () => void | Promise<void>> {
  return {
    skills: async () => gauge("hone_skills").set(await sources.skills()),
    tasks: () => {
      const { queued = 0, running = 0 } = sources.tasks();
      gauge("hone_tasks").set({ state: "queued" }, queued);
      gauge("hone_tasks").set({ state: "running" }, running);
    },
    incidents: () => {
      for (const [state, count] of Object.entries(sources.incidents())) {
        gauge("hone_incidents").set({ state }, count);
      }
    },
    waiting: () => gauge("hone_candidates_waiting").set(sources.waiting()),
    watched: () => gauge("hone_releases_watched").set(sources.watched()),
    isPaused: () => gauge("hone_repairs_paused").set(sources.isPaused() ? 1 : 0),
    budget: () => {
      const budget = sources.budget();
      if (budget === null) return;
      for (const unit of ["requests", "tokens", "seconds"] as const) {
        const used = budget.used[unit];
        gauge(`hone_model_budget_used_${unit}`).set(used);
        gauge(`hone_model_budget_left_${unit}`).set(Math.max(0, budget.most[unit] - used));
      }
    },
    pools: () => {
      for (const [pool, { idle, busy, waiting }] of Object.entries(sources.pools())) {
        gauge("hone_pool_guests").set({ pool, state: "idle" }, idle);
        gauge("hone_pool_guests").set({ pool, state: "busy" }, busy);
        gauge("hone_pool_waiting").set({ pool }, waiting);
      }
    },
    ledger: () => {
      const { file, wal } = sources.ledger();
      gauge("hone_ledger_size_bytes").set(file);
      gauge("hone_ledger_wal_size_bytes").set(wal);
    },
  };
}
