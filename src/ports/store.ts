import type { Alarm } from "../domain/alarm.ts";
import type { Birth } from "../domain/birth.ts";
import type { Pull } from "../domain/bandit.ts";
import type { Caps, Cost, ModelCall, ModelCallEnd } from "../domain/budget.ts";
import type { Claim, Claimant } from "../domain/claim.ts";
import type { Candidate, CandidateState } from "../domain/candidate.ts";
import type { Verification } from "../domain/gate.ts";
import type { Diagnosis, Incident, IncidentState } from "../domain/incident.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { Evidence, Release, ReleaseState } from "../domain/release.ts";
import type { Shadow } from "../domain/shadow.ts";
import type { Run, Task, TaskState } from "../domain/task.ts";
import type { Activity } from "./activity.ts";

export type TaskRecord = {
  readonly task: Task;
  readonly state: TaskState;
  readonly runId: string | null;
  readonly error: string | null;
};

/** Counts per version: rates are never carried over from one commit to another. */
export type VersionStats = {
  readonly version: string;
  readonly runs: number;
  readonly scored: number;
  readonly meanReward: number | null;
  readonly bestReward: number | null;
  readonly firstAt: number;
  readonly lastAt: number;
};

/** Counts of an hour or a day, in UTC. */
export type PeriodStats = {
  /** Its beginning, in milliseconds since the epoch. */
  readonly at: number;
  readonly runs: number;
  readonly scored: number;
  readonly meanReward: number | null;
};

export type HoneEvent = {
  readonly id: number;
  readonly at: number;
  /** `run.scored`, `incident.opened`, `release.promoted`, … */
  readonly kind: string;
  readonly skill: string | null;
  readonly detail: JsonObject;
};

/** A candidate as the ledger keeps it. */
export type CandidateRecord = {
  readonly candidate: Candidate;
  readonly groupId: string;
  readonly state: CandidateState;
  readonly verification: Verification;
  /** Null where the group had no spread. */
  readonly advantage: number | null;
};

export type GroupRecord = {
  readonly id: string;
  readonly incidentId: string;
  readonly skill: string;
  readonly signature: string;
  /** Programs run in search of candidates, the group's own included. */
  readonly tried: number;
  readonly result: "released" | "waiting" | "no-change" | "infra-error";
  readonly reason: string;
  readonly durationMs: number;
  readonly at: number;
  readonly diagnosis: Omit<Diagnosis, "judged">;
};

/** A way in which models were asked about failures of a class, over all its pulls. */
export type ArmRecord = {
  readonly failureClass: string;
  readonly arm: string;
  readonly pulls: number;
  /** Mean reward, in [0,1]. */
  readonly won: number;
  /** Mean cost. */
  readonly tokens: number;
};

export type ReleaseRecord = Release & { readonly evidence: Evidence | null };

/**
 * The ledger: what happened, in SQLite. Every method is one transaction and leaves no open cursor.
 *
 * Contract, kept by `test/contracts/store.contract.ts`:
 * - a call that returns is durable against the death of the process;
 * - throws `store-failed` (retryable when busy or full), never half-writes;
 * - adding what is already there (same id) changes nothing and says so with `false`.
 */
export interface Store extends Disposable {
  addTask(task: Task): boolean;
  task(id: string): TaskRecord | null;
  /** Takes the oldest queued task and marks it running; null when there is none. */
  claimTask(): TaskRecord | null;
  /** Puts tasks that were running when the process died back into the queue; returns how many. */
  requeueRunning(): number;
  /** Tasks marked running, in the order of their arrival. */
  runningTasks(limit: number): readonly TaskRecord[];
  failTask(id: string, error: string): void;
  /** The same for a task that is still queued; false: it is not. */
  cancelTask(id: string, error: string): boolean;
  /** Tasks now in a state; those that ended include what was pruned. */
  countTasks(): Readonly<Record<TaskState, number>>;

  /** Records the run and ends its task as done, in one transaction. */
  addRun(run: Run): boolean;
  run(id: string): Run | null;
  /** Newest first. Held-out runs only when asked for by name. */
  runs(query: {
    readonly skill: string;
    readonly version?: string;
    readonly heldOut: boolean;
    readonly minimumScore?: number;
    /** The id of a run: only older ones. */
    readonly before?: string;
    readonly limit: number;
  }): readonly Run[];
  /** The version that ran last first. Counts are of all runs that there ever were. */
  versionStats(skill: string): readonly VersionStats[];
  /** Runs of all skills, hour by hour from the one that `since` is in, oldest first; hours without any are left out. */
  statsByHour(since: number): readonly PeriodStats[];
  /** The same of one skill, day by day. */
  statsByDay(skill: string, since: number): readonly PeriodStats[];
  /** Scored live rewards of a version, oldest first, at most the last `limit`. */
  rewards(skill: string, version: string, limit: number): readonly number[];
  /** Of those last ones, the rewards of runs that began at an instant or later. */
  rewardsSince(of: {
    readonly skill: string;
    readonly version: string;
    readonly since: number;
    readonly limit: number;
  }): readonly number[];
  /** Runs without a score since the start of the ledger. */
  countUnscored(): { readonly unscored: number; readonly badReward: number };
  /** Notes one look at held-out data and returns how many there were for this skill. */
  countHeldOutLook(skill: string): number;

  /** Adds the run to the incident of its signature, opening it if need be. */
  joinIncident(
    incident: Incident,
    runId: string,
  ): { readonly incident: Incident; readonly isNew: boolean };
  incident(id: string): Incident | null;
  incidents(query: {
    readonly skill?: string;
    readonly states?: readonly IncidentState[];
    readonly limit: number;
  }): readonly Incident[];
  countIncidents(): Readonly<Record<IncidentState, number>>;
  runsOf(incidentId: string, limit: number): readonly Run[];
  setIncident(
    id: string,
    change: Partial<Pick<Incident, "state" | "rejections" | "retryAt" | "note">>,
  ): void;

  /** Records a finished group with all its candidates and verdicts, in one transaction. */
  addGroup(group: GroupRecord, candidates: readonly CandidateRecord[]): void;
  groups(incidentId: string): readonly GroupRecord[];
  candidate(id: string): CandidateRecord | null;
  candidates(query: {
    readonly groupId?: string;
    readonly state?: CandidateState;
    readonly limit: number;
  }): readonly CandidateRecord[];
  setCandidate(id: string, state: CandidateState): void;
  /** Digests refused before for a failure signature. */
  refusedDigests(signature: string): readonly string[];
  /** A digest that was refused though no group of this ledger says so: an earlier one was lost. */
  refuse(signature: string, digest: string): void;

  /** What a recorded group has taught; adding it again changes nothing. */
  addPulls(groupId: string, failureClass: string, pulls: readonly Pull[]): void;
  /** The latest first. */
  pulls(failureClass: string, limit: number): readonly Pull[];
  /** Those that were pulled most first. */
  arms(limit: number): readonly ArmRecord[];

  /** Keeps a claimant's last word about a question; returns it with how often something was said. */
  addClaim(claim: Omit<Claim, "times">): Claim;
  /** The oldest first, a hundred at most. */
  claims(
    of: { readonly incident: string } | { readonly skill: string; readonly subject: string },
  ): readonly Claim[];
  /** How often claims were made about questions of which the last was since an instant. */
  countClaims(of: {
    readonly since: number;
    readonly skill?: string;
    readonly by?: Claimant;
  }): number;

  /** A request for a new skill; its incident is there already. */
  addBirth(birth: Birth): boolean;
  birth(incidentId: string): Birth | null;
  /** Newest first. */
  births(query: { readonly skill?: string }): readonly Birth[];
  endProbation(incidentId: string, verdict: "agrees" | "disagrees", note: string): void;

  /** Writes down, durably, that a commit is about to become the head. One pending row per skill. */
  addPendingRelease(release: ReleaseRecord): void;
  setRelease(commit: string, state: ReleaseState, reason: string): void;
  /**
   * A pending release or rollback whose commit stands is made: its row, its incident, its candidate
   * and what it takes back say so in one transaction. The only point at which the ledger learns of
   * it; does nothing for one that is not pending.
   */
  promote(commit: string): void;
  release(commit: string): ReleaseRecord | null;
  releases(query: {
    readonly skill?: string;
    readonly states?: readonly ReleaseState[];
    /** The commit of a release: only older ones. */
    readonly before?: string;
    readonly limit: number;
  }): readonly ReleaseRecord[];
  /** Releases of a skill under watch, newest first. */
  watched(skill: string): readonly Release[];
  /** Adds what a repeated run told; one for each live run. */
  addShadow(shadow: Shadow): boolean;
  /** Of a release under watch, oldest first, at most the last `limit`. */
  shadows(release: string, limit: number): readonly Shadow[];

  /** Raises an alarm; false, and nothing changes, while the same one is not over. */
  raiseAlarm(alarm: Omit<Alarm, "overAt">): boolean;
  /** Ends an alarm; false where there is none. */
  endAlarm(of: Pick<Alarm, "kind" | "skill" | "cause">, at: number): boolean;
  /** Those that are not over, oldest first. */
  alarms(of: { readonly skill?: string }): readonly Alarm[];

  /** The past in figures. */
  readonly activity: Activity;

  addEvent(event: Omit<HoneEvent, "id">): number;
  events(since: number, limit: number): readonly HoneEvent[];

  /** The key-value state of a skill. */
  kvGet(skill: string, key: string): Json | undefined;
  kvSet(skill: string, key: string, value: Json): void;
  kvDelete(skill: string, key: string): void;
  kvList(skill: string, prefix: string): readonly string[];

  /** Writes down that a model is about to be asked; or says, and writes nothing, which caps that would overstep. */
  reserveModelCall(call: ModelCall, caps: Caps): readonly string[];
  endModelCall(id: string, end: ModelCallEnd): void;
  /** What an incident has cost in all, and what everything has within the day up to `now`. */
  modelCost(of: { readonly incident: string | null; readonly now: number }): {
    readonly incident: Cost | null;
    readonly day: Cost;
  };
  /** Of the day up to `now`, the costliest first. */
  costliestIncidents(
    now: number,
    limit: number,
  ): readonly (Cost & { readonly incident: string; readonly skill: string })[];

  /** True exactly once per schedule and slot, an instant in ISO 8601; remembered for 40 days. */
  claimSlot(schedule: string, slot: string): boolean;
  /** The answer that a request with a key was given within the last day, and a digest of the request. */
  keptAnswer(key: string): { readonly request: string; readonly answer: JsonObject } | null;
  keepAnswer(key: string, kept: { readonly request: string; readonly answer: JsonObject }): void;
  note(key: string): string | null;
  setNote(key: string, value: string): void;

  /**
   * Looks at the next few rows and removes those from before a time (in milliseconds since the epoch)
   * that nobody needs any more: runs, with the tasks that were theirs, and events. `isOver`: it has
   * come round. Counts stay as they are.
   */
  prune(what: {
    readonly runsBefore: number;
    readonly eventsBefore: number;
    /** Rows of each kind that are looked at. */
    readonly most: number;
  }): {
    readonly runs: number;
    readonly tasks: number;
    readonly events: number;
    readonly isOver: boolean;
  };

  /** Truncating checkpoint; the size of the WAL afterwards, in bytes. */
  checkpoint(): number;
  /** "ok", or what PRAGMA integrity_check found. */
  integrity(): string;
}
