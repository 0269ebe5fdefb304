import type { GateName } from "../domain/gate.ts";
import type { Release } from "../domain/release.ts";
import type { GroupRecord } from "./store.ts";

/** A stretch of time, [from, to), in milliseconds since the epoch. */
export type Period = { readonly from: number; readonly to: number };

/** Runs of a stretch of time; the mean is null where none of them was scored. */
export type Reckoning = {
  readonly runs: number;
  readonly scored: number;
  readonly meanReward: number | null;
};

/** What happened in a period. */
export type Counts = Reckoning & {
  readonly incidents: number;
  /** Of these, the ones that are repaired now. */
  readonly repaired: number;
  readonly releases: number;
  readonly rollbacks: number;
  /** Candidates that a gate or a person refused. */
  readonly refused: number;
};

/** A skill in a period of whole days, and in as many days before it. */
export type Trend = Reckoning & {
  readonly skill: string;
  readonly before: Reckoning;
};

/** A release with the live rewards of the version before it and of its own. */
type ReleaseEffect = Release & {
  readonly before: Reckoning;
  readonly after: Reckoning;
};

/** A group from which nothing was released, and the gates that refused its candidates. */
export type Refusal = Pick<
  GroupRecord,
  "id" | "incidentId" | "skill" | "reason" | "tried" | "at" | "result"
> & { readonly gates: readonly GateCount[] };

export type GateCount = { readonly gate: GateName; readonly candidates: number };

/**
 * The past in figures. Every answer comes from counters or an index: it takes as long with a
 * million runs as with a thousand.
 */
export interface Activity {
  /** Rewards in steps of `stepMs` (whole minutes), oldest first; steps without a run are left out. */
  rewards(period: Period, stepMs: number): readonly (Reckoning & { readonly at: number })[];
  /** When the first run in a period was, to the minute; null where there was none. */
  firstRunIn(period: Period): number | null;
  counts(period: Period): Counts;
  /** The skills that ran, those whose mean reward fell furthest first. */
  trends(period: Period, limit: number): readonly Trend[];
  /** Newest first; those that were announced and never made are left out. */
  releaseEffects(period: Period, limit: number): readonly ReleaseEffect[];
  /** Newest first. */
  refusals(period: Period, limit: number): readonly Refusal[];
  /** Candidates of a period by the gate that refused them, most first. */
  refusedBy(period: Period): readonly GateCount[];
  /** The number of the newest event; 0 where there is none. */
  lastEvent(): number;
}
